import Foundation
import PlainStore
import TestSupport
import Testing

/// The examples of `PlainStore.docc/Models.md` compile as a user of the library has them, and do
/// what the page says.
@Suite(.timeLimit(.minutes(1)))
struct ModelsPageTests {
  @Test func `the page has no other examples`() throws {
    let page = try DocumentationPage("Sources/PlainStore/PlainStore.docc/Models.md", below: #filePath)
    #expect(page.lines.count > 30)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  struct Contact: PlainModel {
    var id: String  // friends/ada.yaml is "friends/ada"
    var name: String
    var rating: Int
    var birthday: Date?
    static let defaults: Fields = ["rating": 0]  // for files without the field
  }

  @Test func `the first example writes a contact and lists it`() async throws {
    let temporary = try TemporaryFolder([:])
    let folder = temporary.path

    let store = try await ItemStore.open(folder)
    let contacts = try store.list(of: Contact.self, sort: "-rating", "name")
    try await store.insert(Contact(id: "ada", name: "Ada", rating: 9))
    try await store.update("ada", as: Contact.self) { $0.rating += 1 }
    #expect(Array(contacts.snapshot) == [Contact(id: "ada", name: "Ada", rating: 10)])
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada\nrating: 10\n")
  }

  enum Rule: Codable, Hashable {
    case paused
    case percent(Int)
    case country([String])
    case between(Int, Int)
    case box(width: Int, height: Int)
  }

  struct Flag: PlainModel {
    var id: String
    var rules: [Rule]
    var every: Duration
  }

  @Test func `cases and durations are written as the page shows`() async throws {
    let page = try MarkdownPage("Sources/PlainStore/PlainStore.docc/Models.md").text
    let text = try #require(
      page.components(separatedBy: "```yaml\n").last?.components(separatedBy: "```").first)
    let store = try await ItemStore.temporary(["shown.yaml": text])
    let rules: [Rule] = [
      .paused, .percent(10), .country(["SE", "NO"]), .between(1, 5), .box(width: 1, height: 2),
    ]
    let flag = Flag(id: "shown", rules: rules, every: .seconds(5_400))
    #expect(try store.object("shown", as: Flag.self) == flag)
    try await store.insert(Flag(id: "new", rules: rules, every: .seconds(5_400)))
    for path in ["rules", "every"] as [FieldPath] {
      #expect(store.item("new")?.value(at: path) == store.item("shown")?.value(at: path))
    }
  }

  @Test func `a form is read, and kept until the value changes`() async throws {
    let rules = "rules:\n  - country: {_0: [SE, NO]}\n"
    let temporary = try TemporaryFolder(["a.yaml": rules + "every: 90\n"])
    let store = try await ItemStore.open(temporary.path, watching: false)
    let flag = Flag(id: "a", rules: [.country(["SE", "NO"])], every: .seconds(90))
    #expect(try store.object("a", as: Flag.self) == flag)
    try await store.update("a", as: Flag.self) { $0.every = .milliseconds(250) }
    #expect(try temporary.shell("cat a.yaml").hasPrefix(rules))
    #expect(store.item("a")?.value(at: "every") == "250ms")
  }

  struct Part: PlainModel {
    enum CodingKeys: String, CodingKey { case id = "@id", number = "id" }
    var id: String
    var number: Int
  }

  @Test func `a coding key for the id makes a field named id a field`() async throws {
    let store = try await ItemStore.temporary(["wheel.yaml": "id: 7\n"])
    #expect(try store.object("wheel", as: Part.self) == Part(id: "wheel", number: 7))
  }

  @Test func `a form writes the field that it changed`() async throws {
    let temporary = try TemporaryFolder(["ada.yaml": "name: Ada  # who\nrating: 9\nborn: London\n"])
    let store = try await ItemStore.open(temporary.path, watching: false)
    if let original = try store.object("ada", as: Contact.self) {
      var edited = original
      edited.name = "Ada Lovelace"
      try await store.save(edited, from: original, policy: .mergeByPropertyObjectTrump)
    }
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada Lovelace  # who\nrating: 9\nborn: London\n")
  }

  @Test func `what a predicate matches is changed`() async throws {
    let store = try await ItemStore.temporary([
      "friends/bob.yaml": "name: Bob\nrating: 2\n", "friends/zoe.yaml": "name: Zoe\nrating: -1\n",
      "7.yaml": "email: bob@example.org\n", "8.yaml": "email: ada@example.org\n",
    ])
    try await store.update(of: Contact.self, in: "friends/", where: "rating < \(3)") { $0.rating += 1 }
    try await store.delete(of: Contact.self, in: "friends/", where: "rating = \(0)")
    #expect(try store.fetch(of: Contact.self, in: "friends/").map(\.rating) == [3])
    // Without a folder the default makes the users match, which are no contacts.
    await #expect(throws: Problem.self) {
      try await store.delete(of: Contact.self, where: "rating = \(0)")
    }
    let error = await #expect(throws: EditError.self) {
      try await store.upsert(User(id: 7, email: "eve@example.org"), by: "email")
    }
    #expect(error?.code == .exists)

    try await store.upsert(User(id: 7, email: "ada@example.org"), by: "email")
    #expect(try store.count() == 3)
  }

  @Test func `a draft is read, saved and undone`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\nrating: 9\n"])
    var draft = store.makeEditScope()
    try draft.update("ada", as: Contact.self) { $0.rating = 3 }
    try draft.insert(Contact(id: "bob", name: "Bob", rating: 5))
    let names = try draft.fetch(of: Contact.self, sort: "name").map(\.name)
    let report = try await store.save(draft)
    #expect(store.item("ada")?.value(at: "rating") == 3)
    try await store.save(report.inverse)  // undo
    #expect(names == ["Ada", "Bob"])
    #expect(Array(try store.fetch(of: Contact.self)) == [Contact(id: "ada", name: "Ada", rating: 9)])
  }

  private struct InvalidEmail: Error {}

  struct User: PlainModel {
    var id: Int
    var email: String
    var updatedAt: Date?
    static let uniqueFields: [FieldPath] = ["email"]
    func validate() throws {
      guard email.contains("@") else { throw InvalidEmail() }
    }
    mutating func willSave() { updatedAt = .now }
  }

  @Test func `an invalid user is not saved`() async throws {
    let store = try await ItemStore.temporary(["1.yaml": "email: ada@example.org\n"])
    await #expect(throws: InvalidEmail.self) { try await store.save(User(id: 2, email: "nobody")) }
    let error = await #expect(throws: EditError.self) {
      try await store.save(User(id: 2, email: "ada@example.org"))
    }
    #expect(error?.code == .invalid)
    #expect(try store.count() == 1)
  }

  @Test func `a hook sets a field, which an older value does not have`() async throws {
    let store = try await ItemStore.temporary(["1.yaml": "email: ada@example.org\n"])
    let original = try #require(try store.object(1, as: User.self))
    var edited = original
    edited.email = "ada@example.com"
    try await store.save(edited, from: original)
    #expect(try store.object(1, as: User.self)?.updatedAt != nil)
    var again = edited
    again.email = "ada@example.net"
    let error = await #expect(throws: EditError.self) { try await store.save(again, from: edited) }
    #expect(error?.code == .conflict)
  }

  struct ISBN: RawRepresentable, Codable, Hashable, Sendable, ItemIDConvertible {
    var rawValue: String
  }

  @Test func `an id can have a type of its own`() async throws {
    struct Edition: PlainModel {
      var id: ISBN
      var title: String
    }
    let store = try await ItemStore.temporary(["978.yaml": "title: Notes\n"])
    #expect(try store.object(ISBN(rawValue: "978"), as: Edition.self)?.title == "Notes")
  }

  struct Book: PlainModel {
    var id: String
    var title: String
    var author: Link<Contact>?
  }

  @Test func `a book has the name of its author`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\n", "books/notes.yaml": "title: Notes\nauthor: ada\n",
    ])
    var printed: [String] = []
    func print(_ parts: String...) { printed.append(parts.joined(separator: ", ")) }

    let books = try store.list(of: Book.self, in: "books/").snapshot
    for book in books { print(book.title, books.resolve(book.author)?.name ?? "unknown") }
    #expect(printed == ["Notes, Ada"])
  }

  // The limits that the page names.

  struct Place: PlainModel {
    struct Address: Codable, Equatable, Sendable {
      var city: String
      var street: String
    }

    var id: String
    var address: Address?
    static let defaults: Fields = ["address": ["city": "Paris"]]
  }

  @Test func `a partial default map makes an item without the struct undecodable`() async throws {
    let store = try await ItemStore.temporary(["home.yaml": "name: Home\n"])
    #expect(throws: Problem.self) { try store.object("home", as: Place.self) }
  }

  struct Basket: PlainModel {
    struct Fruit: Codable, Equatable, Sendable {
      var kind: String
      var count: Int
    }

    var id: String
    var fruits: [Fruit]
  }

  @Test func `an element that changed in every known field is a new element`() async throws {
    let temporary = try TemporaryFolder(["b.yaml": "fruits:\n  - {kind: apple, count: 1, note: red}\n"])
    let store = try await ItemStore.open(temporary.path, watching: false)
    try await store.update("b", as: Basket.self) { $0.fruits[0].count = 2 }
    #expect(store.item("b")?.value(at: "fruits[0].note") == "red")
    try await store.update("b", as: Basket.self) { $0.fruits = [.init(kind: "pear", count: 3)] }
    #expect(store.item("b")?.value(at: "fruits[0].note") == nil)
  }
}
