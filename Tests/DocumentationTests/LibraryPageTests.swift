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
    @Sendable func print(_ change: ResultsChange<Contact>) { line.yield("\(change)") }

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

  // MARK: Lists

  @Test func `The lists hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\nrating: 10\ngroup: friends\ntags: [maths]\n",
      "friends/lon.yaml": "name: Lon\n", "friends/bob.json": "{\"name\": \"Bob\"}",
    ])
    let text = "o"
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    let friends = try store.list(
      of: Contact.self, in: "friends/", where: "name CONTAINS[c] \(text)", sort: "name", limit: 20)
    print(friends.snapshot.count, friends.snapshot.totalCount)
    #expect(printed.lines == ["2 2"])

    friends.search = "lon"
    friends.predicate = nil
    friends.sort = ["-rating"]
    friends.window = 0..<50
    friends.change {  // several parts as one update
      $0.predicate = try? ItemPredicate("rating >= \(3)")
      $0.searchFields = ["name"]  // by default all fields and the id
    }
    #expect(friends.snapshot.isEmpty)
    friends.predicate = nil
    #expect(friends.snapshot.map(\.name) == ["Lon"])

    let best = try store.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating", "name")
    try await follow(best, store)
    try snapshots(best, store)
  }

  private func follow(_ best: TypedResults<Contact>, _ store: ItemStore) async throws {
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
    func isEnough(_ update: TypedUpdate<Contact>) -> Bool { true }
    let shown = best.snapshot
    try await store.insert(Contact(id: "eve", name: "Eve", rating: 4))
    for await update in best.updates(after: shown) {
      for change in update.changes {
        print(change.kind, change.id, change.fromIndexPath as Any, change.toIndexPath as Any)
      }
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

  private func snapshots(_ best: TypedResults<Contact>, _ store: ItemStore) throws {
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }
    let list = best.snapshot
    print(list.first?.name ?? "nobody", list.count)
    print(list[id: "ada"]?.rating ?? 0, list.indexPath(of: "ada") as Any)
    for section in list.sections { print(section.title ?? section.id.description, section.map(\.name)) }
    #expect(printed.lines == ["Ada 2", "10 Optional([0, 0])", " [\"Ada\", \"Eve\"]"])

    let byGroup = try store.list(
      of: Contact.self, sort: "name",
      section: SectionDescriptor(
        "group", order: ["friends", "all"], titles: ["friends": "Friends Contacts", "all": "Your Contacts"]))
    let byLetter = try store.list(
      of: Contact.self, sort: "name", section: SectionDescriptor("name", by: .firstLetter))
    let byTag = try store.list(
      of: Contact.self, sort: "name", section: SectionDescriptor("tags", by: .element))
    #expect(byGroup.sections.map(\.title) == ["Friends Contacts", "Your Contacts", nil])
    #expect(byLetter.sections.map(\.id) == ["A", "B", "E", "L"])
    #expect(byTag.sections.map(\.id) == ["maths", ""])

    let rows = best.map { ContactRow(title: $0.name, stars: String(repeating: "★", count: $0.rating)) }
    print(rows.snapshot.map(\.title))
    #expect(printed.lines.last == "[\"Ada\", \"Eve\"]")
  }

  @MainActor @Observable final class PeopleScreen {
    let people: LiveResults<Contact>
    let books: LiveResults<Book>

    init(_ store: ItemStore) throws {
      people = try store.list(of: Contact.self, in: "people/", sort: "name").live()
      books = try store.list(of: Book.self, in: "books/").live()
    }

    var rows: [String] {
      let counts = books.snapshot.counts(by: "author")
      return people.map { "\($0.name): \(counts[SectionID($0.id)] ?? 0)" }
    }
  }

  @Test @MainActor func `The list of a screen holds`() async throws {
    let store = try await ItemStore.temporary([
      "people/ada.yaml": "name: Ada\n", "people/eve.yaml": "name: Eve\n",
    ])
    let screen = try PeopleScreen(store)
    try await store.save(Book(id: "books/notes", title: "Notes", author: "people/ada"))
    await screen.books.settled()
    #expect(screen.rows == ["Ada: 1", "Eve: 0"])
  }

  // MARK: Saving

  @Test func `The saves hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada  # who\nrating: 10\naddress: {city: Paris}\ntags: [maths]\n"
    ])
    let printed = Printed()
    func print(_ value: some Any) { printed.lines.append("\(value)") }
    try await store.save([
      Contact(id: "bob", name: "Bob", rating: 3), Contact(id: "eve", name: "Eve", rating: 4),
    ])
    let raised = try await store.update("eve", as: Contact.self) { $0.rating += 1 }
    print(raised.object.rating)
    try await store.save(raised.inverse)  // undo
    #expect(try store.object("eve", as: Contact.self)?.rating == 4)
    try await store.update("ada", [.set("address.city", "London"), .append("new", to: "tags")])
    try await store.rename("eve", to: "work/eve")
    try await store.delete("bob")
    #expect(try store.fetch(of: Contact.self).map(\.id) == ["ada", "work/eve"])
    #expect(store.item("ada")?.value(at: "tags") == ["maths", "new"])

    let original = try #require(try store.object("ada", as: Contact.self))
    func keepsMine(_ theirs: Contact?) -> Bool { theirs?.rating == 1 }
    for isEditedInBetween in [false, true] {
      if isEditedInBetween { try await store.update("ada", as: Contact.self) { $0.rating = 1 } }
      var edited = original
      edited.name = "Ada King"
      do {
        let outcome = try await store.save(edited, from: original)
        try await store.save(outcome.inverse)  // undo
        #expect(try store.object("ada", as: Contact.self) == original)
      } catch let error as EditError where error.code == .conflict {
        let theirs = try store.object("ada", as: Contact.self)  // nil if it was deleted
        if keepsMine(theirs) {
          try await store.save(edited, from: original, policy: .mergeByPropertyObjectTrump)
        }
      }
    }
    #expect(try store.object("ada", as: Contact.self) == Contact(id: "ada", name: "Ada King", rating: 1))

    var draft = store.makeEditScope()
    try draft.update("ada", as: Contact.self) { $0.name = "Ada Lovelace" }
    try draft.insert(Contact(id: "dan", name: "Dan", rating: 5))
    print(try draft.list(of: Contact.self, sort: "name").map(\.name))
    let report = try await store.save(draft)
    try await store.save(report.inverse)  // undo
    #expect(printed.lines == ["5", "[\"Ada Lovelace\", \"Dan\", \"Eve\"]"])
    #expect(try store.fetch(of: Contact.self, sort: "name").map(\.name) == ["Ada King", "Eve"])
  }

  private struct InvalidEmail: Error {}

  struct User: PlainModel {
    var id: String
    var email: String
    static let uniqueFields: [FieldPath] = ["email"]
    func validate() throws {
      guard email.contains("@") else { throw InvalidEmail() }
    }
  }

  @Test func `The validation holds`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "email: ada@example.org\n"])
    await #expect(throws: InvalidEmail.self) { try await store.save(User(id: "b", email: "nobody")) }
    let error = await #expect(throws: EditError.self) {
      try await store.save(User(id: "b", email: "ada@example.org"))
    }
    #expect(error?.code == .invalid)
    #expect(store.count == 1)
  }

  // MARK: Links, fetches, problems

  struct Book: PlainModel {
    var id: String
    var title: String
    var author: Link<Contact>
  }

  @Test func `The links hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\n", "books/notes.yaml": "title: Notes\nauthor: ada\n",
    ])
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    let books = try store.list(of: Book.self, in: "books/")
    for book in books.snapshot { print(book.title, books.snapshot.resolve(book.author)?.name ?? "unknown") }
    #expect(printed.lines == ["Notes Ada"])

    let lines = books.map { book, resolve in "\(book.title) by \(resolve(book.author)?.name ?? "unknown")" }
    let written = try store.list(of: Book.self, in: "books/", where: "author = \("ada")")
    #expect(Array(lines.snapshot) == ["Notes by Ada"])
    #expect(written.count == 1)
  }

  @Test func `The fetches hold`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\nrating: 9\ngroup: a\n", "bob.yaml": "name: Bob\nrating: 4\ngroup: a\n",
      "eve.yaml": "name: [",
      "dan.yaml": "name: 5\n",
    ])
    let best = try store.list(of: Contact.self, sort: "name")
    let printed = Printed()
    func print(_ parts: Any...) { printed.lines.append(parts.map { "\($0)" }.joined(separator: " ")) }

    let all = try store.fetch(of: Contact.self, where: "rating > 3", sort: "name")
    let ada = try store.object("ada", as: Contact.self)
    print(
      best.snapshot.max("rating") as Any, best.snapshot.average("rating") as Any,
      best.snapshot.counts(by: "group"))
    #expect(all.map(\.id) == ["ada", "bob"])
    #expect(ada?.rating == 9)
    #expect(printed.lines.count == 1)

    for problem in store.problems { print(problem) }
    for problem in best.snapshot.problems { print(problem) }
    for hint in best.hints { print(hint) }
    #expect(printed.lines.count == 4)
    #expect(throws: Problem.self) { try store.fetch(of: Contact.self, where: "name = 5") }
  }

  @Test @MainActor func `The store for previews holds`() async throws {
    let preview = try await ItemStore.temporary(["ada.yaml": "name: Ada\nrating: 9\n"])
    try await preview.seed([Contact(id: "bob", name: "Bob", rating: 3)])
    await preview.settled()
    let contacts = try preview.list(of: Contact.self, sort: "name").live()
    try await preview.update("bob", as: Contact.self) { $0.name = "Bobby" }
    await contacts.settled()
    print(contacts.map(\.name))
    #expect(contacts.map(\.name) == ["Ada", "Bobby"])
  }
}
