import DiffableSnapshot
import Files
import PlainStore
import Synchronization
import TestSupport
import Testing
import Values

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
    func show(_ contacts: [Contact]) { shown.append(contacts.map(\.id).joined(separator: " ")) }

    let store = try await ItemStore.open(folder)
    let contacts = try store.list(of: Contact.self, sort: "-rating")
    for await update in contacts.updates {
      show(update.new.fetchedObjects)
      if shown.count == 2 { break }
      try temporary.remove("bob.json")
    }
    #expect(shown == ["ada bob friends/ada", "ada friends/ada"])

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
    #expect(printed.map(\.path.description) == ["bad.yaml"])
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

  @Test func `the examples of LiveLists follow every change`() async throws {
    let temporary = try Self.open()
    let folder = temporary.path
    let dataSource = DataSource()

    let store = try await ItemStore.open(folder)
    let results = try store.list(sort: "-rating", "name")
    for await update in results.updates {
      dataSource.apply(update.diffableSnapshot)
      if dataSource.lists.count == 2 { break }
      try temporary.write("name: Ada\nrating: 1\n", to: "ada.yaml")
    }
    #expect(dataSource.lists == ["ada bob friends/ada", "bob ada friends/ada"])

    let shown = results.snapshot
    try temporary.write("name: Ada\nrating: 2\n", to: "ada.yaml")
    for await update in results.updates(after: shown) {
      dataSource.apply(update.diffableSnapshot)
      if dataSource.lists.count == 3 { break }
    }
    #expect(dataSource.lists.last == "bob ada friends/ada")
    #expect(dataSource.reloads == [[], ["ada"], ["ada"]])

    var printed: [String] = []
    func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
    for await change in results.changes {
      print(
        change.kind, change.id, change.from as Any, change.to as Any,
        change.before?.value(at: "rating") as Any)
      if printed.count == 3 { results.search = "bob" }
      if printed.count == 4 { break }
    }
    #expect(printed.first?.hasPrefix("insert bob nil ") == true, "\(printed)")
    #expect(printed.last?.hasPrefix("delete ") == true, "\(printed)")
    results.search = ""

    printed = []
    for await event in results.events {
      switch event {
      case .snapshot(let list): print("\(list.count) items, \(list.problems.count) problems")
      case .step(let update?, _): print("\(update.diff.changes.count) changes")
      case .step(update: nil, let problems): print("\(problems.count) problems came or went")
      }
      if printed.count == 3 { break }
      try temporary.write(printed.count == 1 ? "rating: 2" : "rating: [", to: "bad.yaml")
    }
    #expect(printed == ["3 items, 1 problems", "1 changes", "1 problems came or went"])

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
    for await ada in results.updates(of: "ada") {
      print(ada?.value(at: "rating") as Any)
      if printed.count == 2 { break }
      results.search = "bob"
    }
    #expect(printed.last == "nil")
  }

  @Test func `the examples of LiveLists change and query the list`() throws {
    let temporary = try Self.open()
    let results = try ItemStore(at: temporary.path).results()

    results.search = "re"
    results.sort = ["name"]
    results.predicate = try ItemPredicate("rating >= 3 AND ANY tags = 'new'")
    results.section = SectionDescriptor("group", order: ["friends"], titles: ["friends": "Friends"])
    results.window = 0..<20
    #expect(results.snapshot.count == 0)
    #expect(results.snapshot.sections.count == 1)

    results.change {
      $0.search = ""
      $0.predicate = nil
      $0.limit = nil
    }
    #expect(Self.ids(results.fetchedObjects) == "ada bob friends/ada")

    results.prepareSearch()
    results.search = "ada lov"
    let highlighter = SearchHighlighter(results.request)
    let ranges = highlighter.ranges(in: "Ada Lovelace", of: "name")
    #expect(ranges.map { String("Ada Lovelace"[$0]) } == ["Ada", "Lov"])
    #expect(results.isEmpty)

    let subscription = results.subscribe()
    let (earlier, snapshot) = results.change(for: subscription) { $0.search = "re" }
    #expect(earlier != nil)
    #expect(snapshot.isEmpty)
    results.search = ""

    let list = results.snapshot
    let place = list.place(of: "ada")
    let ada = list[Place(section: "friends", index: 0)]
    let titles = list.sections.map { $0.title ?? $0.id.description }
    let letters = list.sectionIndexTitles
    #expect(place == Place(section: "friends", index: 0))
    #expect(ada?.id.description == "ada")
    #expect(titles == ["Friends", "work", ""])
    #expect(letters == ["F", "W"])
  }

  @Test func `the examples of LiveLists return a step`() async throws {
    let temporary = try Self.open()
    let results = try ItemStore(at: temporary.path, watching: true).results()
    var delivered: [Int] = []
    func deliver(_ event: ResultsEvent) -> Bool {
      guard case .step(let update?, _) = event else { return true }
      delivered.append(update.diff.changes.count)
      return delivered.count != 1
    }

    let subscription = results.subscribe()
    while let event = await subscription.next() {
      if !deliver(event) { subscription.returnLastStep() }
      if delivered.count == 2 { break }
      try temporary.write("name: New", to: delivered.isEmpty ? "new.yaml" : "newer.yaml")
    }
    // The first change comes again with the second.
    #expect(delivered == [1, 2])
  }

  @Test func `the examples of LiveLists follow types, settings and problems`() async throws {
    let temporary = try Self.open()
    let store = try ItemStore(at: temporary.path, watching: true)
    let results = store.results()

    struct Person: Decodable, Identifiable, Equatable {
      var id: String { name }
      var name: String
      var rating: Int
    }

    var shown: [[String]] = []
    func show(_ people: [Person]) { shown.append(people.map(\.name)) }
    let people = try store.list(of: Person.self, sort: "name")
    for await update in people.updates {
      show(update.new.fetchedObjects)
      if shown.count == 2 { break }
      try temporary.write("{\"name\": \"Zoë\", \"rating\": 1}", to: "bob.json")
    }
    #expect(shown == [["Ada", "Bob"], ["Ada", "Zoë"]])

    let named = try store.results { settings throws(SettingsError) in
      try settings.view(named: "friends").request
    }
    #expect(Self.ids(named.fetchedObjects) == "ada")

    var printed: [String] = []
    func print(_ line: some CustomStringConvertible) { printed.append(line.description) }
    for await change in results.problems {
      switch change {
      case .raised(let problem): print(problem)
      case .cleared(let problem): print("\(problem.path) is good again")
      }
      if printed.count == 2 { break }
      try temporary.write("rating: 1", to: "bad.yaml")
    }
    #expect(printed.first?.hasPrefix("bad.yaml:") == true)
    #expect(printed.last == "bad.yaml is good again")
  }
}
