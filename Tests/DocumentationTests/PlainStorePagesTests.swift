import DiffableSnapshot
import Observation
import PlainStore
import Synchronization
import TestSupport
import Testing

/// The examples of `PlainStore.docc/PlainStore.md` and `LiveLists.md` compile as a user of the
/// library has them, and do what they say. What they print is gathered.
@Suite(.timeLimit(.minutes(1)))
struct PlainStorePagesTests {
  private static func open() throws -> TemporaryFolder {
    try TemporaryFolder([
      "ada.yaml": "name: Ada\nrating: 9\ngroup: friends\ntags: [new]\n",
      "bob.json": "{\"name\": \"Bob\", \"rating\": 3, \"group\": \"work\"}",
      "friends/ada.md": "---\nname: Ada\naddress: {city: London}\n---\n", "bad.yaml": "name: x\nrating: [\n",
      ".notes-watch.yaml": "views: {friends: {where: \"group = 'friends'\"}}",
    ])
  }

  private static func ids(_ list: [Item]) -> String { list.map(\.id.description).joined(separator: " ") }

  @Test(arguments: ["PlainStore", "LiveLists"]) func `the pages have no other examples`(page: String) throws {
    let page = try DocumentationPage("Sources/PlainStore/PlainStore.docc/\(page).md", below: #filePath)
    #expect(page.lines.count > 10)
    let missing = try page.firstLineMissing(in: #filePath)
    #expect(missing == nil)
  }

  struct Contact: PlainModel {
    var id: String
    var name: String
    var rating: Int
    static let defaults: Fields = ["rating": 0]
  }

  @Test func `the examples of PlainStore give their results`() async throws {
    let temporary = try Self.open()
    let folder = temporary.path
    var shown: [String] = []
    func show(_ names: [String]) { shown.append(names.joined(separator: " ")) }

    let store = try await ItemStore.open(folder)
    let contacts = try store.list(of: Contact.self, sort: "-rating")
    for await update in contacts.updates {
      show(update.new.map(\.name))
      if shown.count == 2 { break }
      try temporary.remove("bob.json")
    }
    #expect(shown == ["Ada Bob Ada", "Ada Ada"])

    let once = try await ItemStore.open(folder, watching: false)
    let best = try once.fetch(of: Contact.self, where: "rating > \(3)", sort: "name")
    let names = try once.fetch(where: "rating > \(3)").map { $0.value(at: "name")?.text ?? "" }
    #expect(best.map(\.id) == ["ada"])
    #expect(names == ["Ada"])

    let ada = once.item("friends/ada")
    let city = ada?.value(at: "address.city")
    let modified = ada?.value(at: "@modified")
    #expect(city?.text == "London")
    #expect(modified != nil)

    var printed: [Problem] = []
    func print(_ problem: Problem) { printed.append(problem) }
    for problem in once.problems { print(problem) }
    #expect(printed.map(\.place?.path) == ["bad.yaml"])
  }

  @Test func `the example of an error prints what is wrong`() async throws {
    let store = try await ItemStore.temporary([:])
    var printed: [String] = []
    func print(_ message: String, _ advice: String) { printed.append(message) }

    do {
      try await store.update("ada", as: Contact.self) { $0.rating += 1 }
    } catch let error as any PlainStoreError where error.code == .notFound {
      print(error.message, error.advice ?? "")
    }
    #expect(printed.count == 1)
  }

  /// A replacement for a table view in the examples.
  private final class DataSource: Sendable {
    private let applied = Mutex<[String]>([])
    private let reloaded = Mutex<[[Item.ID]]>([])
    var lists: [String] { applied.withLock { $0 } }
    /// The cells that each snapshot says to configure again.
    var reloads: [[Item.ID]] { reloaded.withLock { $0 } }
    func apply(_ list: Snapshot<SectionID, Item.ID>) {
      applied.withLock { $0.append(list.itemIdentifiers.map(\.description).joined(separator: " ")) }
      reloaded.withLock { $0.append(list.reconfiguredItemIdentifiers) }
    }
  }

  struct Person: Decodable, Identifiable, Equatable {
    var id: String { name }
    var name: String
    var rating: Int
  }

  @Test func `the examples of LiveLists follow every change`() async throws {
    let temporary = try Self.open()
    let folder = temporary.path
    let dataSource = DataSource()

    let store = try await ItemStore.open(folder)
    let best = try store.list(sort: "-rating", "name")
    for await update in best.updates {
      dataSource.apply(update.diffableSnapshot)
      if dataSource.lists.count == 2 { break }
      try temporary.write("name: Ada\nrating: 1\n", to: "ada.yaml")
    }
    #expect(dataSource.lists == ["ada bob friends/ada", "bob ada friends/ada"])

    let shown = best.snapshot
    try temporary.write("name: Ada\nrating: 2\n", to: "ada.yaml")
    for await update in best.updates(after: shown) {
      dataSource.apply(update.diffableSnapshot)
      if dataSource.lists.count == 3 { break }
    }
    #expect(dataSource.lists.last == "bob ada friends/ada")
    #expect(dataSource.reloads == [[], ["ada"], ["ada"]])

    var printed: [String] = []
    func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
    for await update in best.updates {
      for change in update.changes {
        print(change.kind, change.id, change.from as Any, change.to as Any)
        print(change.element.value(at: "rating") as Any, change.before?.value(at: "rating") as Any)
      }
      if printed.count > 6 { break }
      best.search = "bob"
    }
    #expect(printed.first == "insert bob nil Optional([0, 0])")
    #expect(printed.dropLast().last?.hasPrefix("delete ada ") == true, "\(printed)")
    best.search = ""

    printed = []
    let friends = try store.list(where: "group = 'friends'")
    let others = try store.list(where: "group != 'friends'")
    for await joint in store.updates(of: friends, others) {
      let (ofFriends, ofOthers) = joint.updates
      print(ofFriends?.new.count as Any, ofOthers?.new.count as Any)
      break
    }
    #expect(printed.first?.hasPrefix("Optional(0) Optional(") == true, "\(printed)")

    printed = []
    for await ada in best.updates(of: "ada") {
      print(ada?.value(at: "rating") as Any)  // nil while the list does not show it
      if printed.count == 2 { break }
      best.search = "bob"
    }
    #expect(printed.last == "nil")
  }

  @Test func `the examples of LiveLists follow a list in a view`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\nrating: 9\n"])
    let best = try store.list()
    let isTold = Mutex(false)
    var shown: [String] = []
    func show(_ count: Int, _ person: Person?) { shown.append("\(count) \(person?.rating ?? 0)") }
    let showAgain: @Sendable () -> Void = { isTold.withLock { $0 = true } }

    let person = store.live("ada", as: Person.self)
    withObservationTracking {
      show(best.snapshot.count, person.value)
    } onChange: {
      showAgain()
    }
    #expect(shown == ["1 9"])
    try await store.delete("ada")
    await store.settled()
    #expect(isTold.withLock { $0 })
  }

  @Test func `the examples of LiveLists change and query the list`() async throws {
    let temporary = try Self.open()
    let store = try await ItemStore.open(temporary.path, watching: false)
    let best = try store.list()

    best.search = "re"
    best.sort = ["name"]
    best.predicate = "rating >= 3 AND ANY tags = \("new")"
    best.section = SectionDescriptor("group", order: ["friends"], titles: ["friends": "Friends"])
    best.limit = 20
    #expect(best.snapshot.isEmpty)
    #expect(best.snapshot.sections.count == 1)

    best.change {
      $0.search = ""
      $0.predicate = nil
      $0.limit = nil
    }
    #expect(Self.ids(Array(best.snapshot)) == "ada bob friends/ada")

    best.search = "ada lov"
    let highlighter = SearchHighlighter(best.request)
    let ranges = highlighter.ranges(in: "Ada Lovelace", of: "name")  // "Ada", "Lov"
    #expect(ranges.map { String("Ada Lovelace"[$0]) } == ["Ada", "Lov"])
    #expect(best.snapshot.isEmpty)
    best.search = ""

    let list = best.snapshot
    let place = list.place(of: "ada")
    let ada = list[ListPlace(section: 0, item: 0)]
    let titles = list.sections.map { $0.title ?? $0.id.description }
    let letters = list.sectionIndexTitles
    #expect(place == ListPlace(section: 0, item: 0))
    #expect(ada?.id == "ada")
    #expect(titles == ["Friends", "work", ""])
    #expect(letters == ["F", "W"])
  }

  @Test func `the examples of LiveLists follow types and problems`() async throws {
    let temporary = try Self.open()
    let store = try await ItemStore.open(temporary.path)
    let best = try store.list()

    struct Person: Decodable, Identifiable, Equatable {
      var id: String { name }
      var name: String
      var rating: Int
    }

    var shown: [[String]] = []
    func show(_ people: [Person]) { shown.append(people.map(\.name)) }
    let people = try store.list(of: Person.self, sort: "name")
    for await update in people.updates {
      show(Array(update.new))
      if shown.count == 2 { break }
      try temporary.write("{\"name\": \"Zoë\", \"rating\": 1}", to: "bob.json")
    }
    #expect(shown == [["Ada", "Bob"], ["Ada", "Zoë"]])

    var printed: [String] = []
    func print(_ line: some CustomStringConvertible) { printed.append(line.description) }
    for await change in best.problems {
      switch change {
      case .raised(let problem): print(problem)
      case .cleared(let problem): print("\(problem.place?.path ?? "") is good again")
      }
      if printed.count == 2 { break }
      try temporary.write("rating: 1", to: "bad.yaml")
    }
    #expect(printed.first?.hasPrefix("bad.yaml:") == true)
    #expect(printed.last == "bad.yaml is good again")
  }
}
