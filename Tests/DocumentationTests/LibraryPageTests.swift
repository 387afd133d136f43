import DiffableSnapshot
import Foundation
import Observation
import PlainStore
import TestSupport
import Testing

/// The Swift code of `docs/library.md` compiles as a user of the library has it, and does what the
/// page says.
@Suite(.timeLimit(.minutes(1)))
struct LibraryPageTests {
  @Test func `The page has no other code`() throws {
    let page = try DocumentationPage("docs/library.md", below: #filePath)
    #expect(page.lines.count > 50)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  struct Contact: PlainModel {
    var id: String  // ada.yaml is "ada"
    var name: String
    var rating: Int
    static let defaults: Fields = ["rating": 0]  // for files without the field
  }

  struct ContactRow: Equatable {
    var title: String
    var stars: String
  }

  /// Collects what an example prints.
  private final class Printed {
    var lines: [String] = []
    func print(_ parts: Any...) { lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
  }

  /// A replacement for the data source of a view.
  private final class DataSource {
    var count = 0
    func apply(_ list: Snapshot<SectionID, Item.ID>) { count = list.numberOfItems }
  }

  // MARK: A first program

  @Test func `The first program holds`() async throws {
    let temporary = try TemporaryFolder([:])
    let folder = temporary.path + "/contacts"
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    @Sendable func print(_ change: ListChange<Contact>) { line.yield("\(change)") }

    let store = try await ItemStore.open(folder)  // created if missing; watched
    let best = try store.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating", "name")
    let task =
      Task {
        for await update in best.updates {
          for change in update.changes { print(change) }  // + ada at 0 · > bob 1 → 0, changed · - ada from 1
        }
      }
    defer { task.cancel() }
    try await store.insert(Contact(id: "ada", name: "Ada", rating: 9))  // writes ada.yaml
    try await store.update("ada", as: Contact.self) { $0.rating += 1 }  // changes that number only
    #expect(try temporary.shell("cat contacts/ada.yaml") == "name: Ada\nrating: 10\n")
    var printed = lines.makeAsyncIterator()
    #expect(await printed.next() == "+ ada at 0")
  }

  // MARK: Values in the file

  enum Rule: Codable, Hashable {
    case paused
    case percent(Int)
    case country([String])
    case between(Int, Int)
    case box(width: Int, height: Int)
  }

  struct Form: PlainModel {
    var id: String
    var date: Date
    var duration: Duration
    var uuid: UUID
    var url: URL
    var decimal: Decimal
    var data: Data
    var rules: [Rule]
  }

  @Test func `The table of values holds`() async throws {
    let text = """
      date: 2024-01-31T10:00:00Z
      duration: 1h30m
      uuid: E621E1F8-C36C-495A-93FC-0C247A3E6E5F
      url: https://example.org/ada
      decimal: 19.9
      data: AQI=
      rules:
        - paused
        - percent: 10
        - country: [SE, NO]
        - between: [1, 5]
        - box: {width: 1, height: 2}

      """
    let page = try MarkdownPage("docs/library.md").text
    for line in text.split(separator: "\n") where line != "rules:" {
      let value = line.hasPrefix("  - ") ? line.dropFirst(4) : line.drop { $0 != " " }.dropFirst()
      #expect(page.contains("`\(value)`"))
    }
    let store = try await ItemStore.temporary(["form.yaml": text])
    let read = try #require(try store.object("form", as: Form.self))
    #expect(read.date == Date(timeIntervalSince1970: 1_706_695_200))
    #expect(read.duration == .seconds(5_400))
    #expect(read.data == Data([1, 2]))
    #expect(
      read.rules == [
        .paused, .percent(10), .country(["SE", "NO"]), .between(1, 5), .box(width: 1, height: 2),
      ])
    var new = read
    new.id = "new"
    try await store.insert(new)
    for path in ["date", "duration", "uuid", "url", "decimal", "data", "rules"] as [FieldPath] {
      #expect(store.item("new")?.value(at: path) == store.item("form")?.value(at: path), "\(path)")
    }
  }

  // MARK: Lists

  @Test func `The lists hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\nrating: 10\ngroup: friends\ntags: [maths]\n",
      "friends/lon.yaml": "name: Lon\n", "friends/bob.json": "{\"name\": \"Bob\"}",
    ])
    let text = "o"

    let friends = try store.list(
      of: Contact.self, in: "friends/", where: "name CONTAINS[c] \(text)", sort: "name", limit: 20)
    #expect(friends.snapshot.count == 2)
    #expect(friends.snapshot.totalCount == 2)

    friends.search = "lon"
    friends.predicate = nil
    friends.sort = ["-rating"]
    friends.limit = 50
    friends.change {  // several parts as one update
      $0.predicate = "rating >= \(3)"
      $0.searchFields = ["name"]  // by default all fields and the id
    }
    #expect(friends.snapshot.isEmpty)
    friends.predicate = nil
    #expect(friends.snapshot.map(\.name) == ["Lon"])

    let best = try store.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating", "name")
    try await follow(best, store)
    try snapshots(best, store)
  }

  private func follow(_ best: LiveList<Contact>, _ store: ItemStore) async throws {
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
    func isEnough(_ update: ListUpdate<Contact>) -> Bool { true }
    let shown = best.snapshot
    try await store.insert(Contact(id: "eve", name: "Eve", rating: 4))
    for await update in best.updates(after: shown) {
      for change in update.changes { print(change.kind, change.id, change.from as Any, change.to as Any) }
      print(update.cause, update.new.count)
      if isEnough(update) { break }
    }
    #expect(printed.lines == ["insert eve nil Optional([0, 1])", "changed 2"])

    let dataSource = DataSource()
    var rows: [Contact] = []
    for await update in best.updates {
      update.apply(to: &rows)
      dataSource.apply(update.diffableSnapshot)
      if isEnough(update) { break }
    }
    #expect(rows.map(\.name) == ["Ada", "Eve"])
    #expect(dataSource.count == 2)
  }

  private func snapshots(_ best: LiveList<Contact>, _ store: ItemStore) throws {
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
    let list = best.snapshot
    print(list.first?.name ?? "nobody", list.count)
    print(list[id: "ada"]?.rating ?? 0, list.place(of: "ada") as Any)
    for section in list.sections { print(section.title ?? section.id.description, section.map(\.name)) }
    print(list.max("rating") as Any, list.average("rating") as Any, list.counts(by: "rating"))
    #expect(printed.lines.prefix(3) == ["Ada 2", "10 Optional([0, 0])", " [\"Ada\", \"Eve\"]"])
    #expect(printed.lines.last?.hasPrefix("Optional(10) Optional(7") == true, "\(printed.lines)")

    let all = try store.fetch(of: Contact.self, where: "rating > 3", sort: "name")
    let count = try store.count(of: Contact.self, where: "rating > 3")
    let ada = try store.object("ada", as: Contact.self)
    #expect(all.map(\.id) == ["ada", "eve"])
    #expect(count == 2)
    #expect(ada?.rating == 10)

    let groups = SectionDescriptor("group", order: ["friends", "all"], titles: ["friends": "Friends"])
    let byGroup = try store.list(sort: "name", section: groups)
    let byLetter = try store.list(of: Contact.self, section: SectionDescriptor("name", by: .firstLetter))
    let byTag = try store.list(sort: "name", section: SectionDescriptor("tags", by: .element))
    #expect(byGroup.snapshot.sections.map(\.title) == ["Friends", nil, nil])
    #expect(byGroup.snapshot.sections.map(\.count) == [1, 0, 3])
    #expect(byLetter.snapshot.sections.map(\.id) == ["A", "B", "E", "L"])
    #expect(byTag.snapshot.sections.map(\.id) == ["maths", ""])

    let rows = best.mapped { ContactRow(title: $0.name, stars: String(repeating: "★", count: $0.rating)) }
    #expect(rows.snapshot.map(\.title) == ["Ada", "Eve"])
  }

  @MainActor @Observable final class PeopleScreen {
    let people: LiveList<Contact>
    let books: LiveList<Book>

    init(_ store: ItemStore) throws {
      people = try store.list(of: Contact.self, in: "people/", sort: "name")
      books = try store.list(of: Book.self, in: "books/")
    }

    var lines: [String] {
      let counts = books.snapshot.counts(by: "author")
      return people.snapshot.map { "\($0.name): \(counts[SectionID($0.id)] ?? 0)" }
    }
  }

  @Test @MainActor func `The list of a screen holds`() async throws {
    let store = try await ItemStore.temporary([
      "people/ada.yaml": "name: Ada\n", "people/eve.yaml": "name: Eve\n",
    ])
    let screen = try PeopleScreen(store)
    try await store.save(Book(id: "books/notes", title: "Notes", author: "people/ada"))
    await store.settled()
    #expect(screen.lines == ["Ada: 1", "Eve: 0"])
  }

  // MARK: Saving

  @Test func `The saves hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada  # who\nrating: 10\naddress: {city: Paris}\ntags: [maths]\n"
    ])
    try await store.save([
      Contact(id: "bob", name: "Bob", rating: 3), Contact(id: "eve", name: "Eve", rating: 4),
    ])
    let raised = try await store.update("eve", as: Contact.self) { $0.rating += 1 }
    #expect(raised.object.rating == 5)
    try await store.save(raised.inverse)  // undo
    #expect(try store.object("eve", as: Contact.self)?.rating == 4)
    try await store.update("ada", [.set("address.city", "London"), .append("new", to: "tags")])
    try await store.rename("eve", to: "work/eve")
    try await store.delete("bob")
    #expect(try store.fetch(of: Contact.self).map(\.id) == ["ada", "work/eve"])
    #expect(store.item("ada")?.value(at: "tags") == ["maths", "new"])
  }

  @Test func `The changes by a predicate hold`() async throws {
    let store = try await ItemStore.temporary([
      "friends/bob.yaml": "name: Bob\nrating: 2\n", "friends/zoe.yaml": "name: Zoe\nrating: -1\n",
      "todos/tax.yaml": "title: Tax\ndue: 2020-02-02\n", "todos/far.yaml": "title: Far\ndue: 9020-02-02\n",
    ])
    try await store.upsert(User(id: "u7", email: "ada@example.org"), by: "email")
    try await store.update(of: Contact.self, in: "friends/", where: "rating < \(3)") { $0.rating += 1 }
    try await store.update(in: "todos/", where: "due < \(Date.now)", [.set("late", true)])
    try await store.delete(of: Contact.self, in: "friends/", where: "rating = \(0)")
    #expect(store.item("u7")?.value(at: "email") == "ada@example.org")
    #expect(store.item("friends/bob")?.value(at: "rating") == 3)
    #expect(store.item("friends/zoe") == nil)
    #expect(store.item("todos/tax")?.value(at: "late") == true)
    #expect(store.item("todos/far")?.value(at: "late") == nil)
    let error = await #expect(throws: StoreError.self) {
      try await store.delete(in: "todos/", where: "dnoe != true")
    }
    #expect(error?.code == .malformed)
  }

  @Test func `The edits and drafts hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada  # who\nrating: 10\n", "work/eve.yaml": "name: Eve\nrating: 4\n",
    ])
    let printed = Printed()
    func print(_ value: some Any) { printed.lines.append("\(value)") }

    let first = try #require(try store.object("ada", as: Contact.self))
    func keepsMine(_ theirs: Contact?) -> Bool { theirs?.rating == 1 }
    for isEditedInBetween in [false, true] {
      if isEditedInBetween {
        try await store.update("ada", as: Contact.self) { $0 = Contact(id: "ada", name: "Ada", rating: 1) }
      }
      var original = first
      var edited = original
      edited.name = "Ada King"
      do {
        original = try await store.save(edited, from: original).object
        #expect(original == edited)
      } catch let error as EditError where error.code == .conflict {
        let theirs = try store.object("ada", as: Contact.self)  // nil if it was deleted
        if keepsMine(theirs) {
          original = try await store.save(edited, from: original, policy: .mergeByPropertyObjectTrump).object
        }
      }
      #expect(try store.object("ada", as: Contact.self) == original)
    }
    #expect(try store.object("ada", as: Contact.self) == Contact(id: "ada", name: "Ada King", rating: 1))

    var draft = store.makeEditScope()
    try draft.update("ada", as: Contact.self) { $0.name = "Ada Lovelace" }
    try draft.insert(Contact(id: "dan", name: "Dan", rating: 5))
    print(try draft.fetch(of: Contact.self, sort: "name").map(\.name))
    let report = try await store.save(draft)
    try await store.save(report.inverse)  // undo
    #expect(printed.lines == ["[\"Ada Lovelace\", \"Dan\", \"Eve\"]"])
    #expect(try store.fetch(of: Contact.self, sort: "name").map(\.name) == ["Ada King", "Eve"])
  }

  private struct InvalidEmail: Error {}

  struct User: PlainModel {
    var id: String
    var email: String
    var updatedAt: Date?
    static let uniqueFields: [FieldPath] = ["email"]
    func validate() throws {
      guard email.contains("@") else { throw InvalidEmail() }
    }
    mutating func willSave() { updatedAt = .now }
  }

  @Test func `The validation and the hook hold`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "email: ada@example.org\n"])
    await #expect(throws: InvalidEmail.self) { try await store.save(User(id: "b", email: "nobody")) }
    let error = await #expect(throws: EditError.self) {
      try await store.save(User(id: "b", email: "ada@example.org"))
    }
    #expect(error?.code == .invalid)
    #expect(try store.count() == 1)
    try await store.save(User(id: "c", email: "bob@example.org"))
    #expect(try store.object("c", as: User.self)?.updatedAt != nil)
  }

  // MARK: Links, problems

  struct Book: PlainModel {
    var id: String
    var title: String
    var author: Link<Contact>
  }

  @Test func `The links hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\nrating: 9\n", "books/notes.yaml": "title: Notes\nauthor: ada\n",
    ])
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    let books = try store.list(of: Book.self, in: "books/")
    for book in books.snapshot { print(book.title, books.snapshot.resolve(book.author)?.name ?? "unknown") }
    #expect(printed.lines == ["Notes Ada"])

    let lines = books.mapped { book, resolve in "\(book.title) by \(resolve(book.author)?.name ?? "unknown")"
    }
    let good = try store.list(of: Book.self, in: "books/", where: "author.rating > 8", sort: "author.name")
    #expect(Array(lines.snapshot) == ["Notes by Ada"])
    #expect(good.snapshot.count == 1)
  }

  @Test func `The problems hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\nrating: 9\ngroup: a\n", "bob.yaml": "name: Bob\nrating: 4\ngroup: a\n",
      "eve.yaml": "name: [",
      "dan.yaml": "name: 5\n",
    ])
    let best = try store.list(of: Contact.self, sort: "name")
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    for problem in store.problems { print(problem) }
    for problem in best.snapshot.problems { print(problem) }
    for hint in best.snapshot.hints { print(hint) }
    #expect(printed.lines.count == 3)
    #expect(throws: Problem.self) { try store.fetch(of: Contact.self, where: "name = 5") }
  }

  @Test @MainActor func `The store for previews holds`() async throws {
    let preview = try await ItemStore.temporary(["ada.yaml": "name: Ada\nrating: 9\n"])
    try await preview.seed([Contact(id: "bob", name: "Bob", rating: 3)])
    let contacts = try preview.list(of: Contact.self, sort: "name")
    try await preview.update("bob", as: Contact.self) { $0.name = "Bobby" }
    await preview.settled()
    print(contacts.snapshot.map(\.name))
    #expect(contacts.snapshot.map(\.name) == ["Ada", "Bobby"])
  }
}
