import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

private struct Contact: PlainModel {
  var id: String
  var name: String
  var rating: Int
  var email: String?
  static let defaults: Fields = ["rating": 0]
  static let uniqueFields: [FieldPath] = ["email"]

  struct Invalid: Error, Equatable {}

  func validate() throws {
    if name.isEmpty { throw Invalid() }
  }
}

/// A file that another program wrote.
private let adaText = "# Ada\nname: Ada  # first\nphones: [1, 2]\n"

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreModelsTests {
  @Test func `an item that cannot be read as a model is an error with its place`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: Ada\nrating: many\n"], watching: false)
    let problem = try #require(throws: Problem.self) { _ = try store.object("ada", as: Contact.self) }
    #expect(problem.description.hasPrefix("ada.yaml:2:9: rating: Expected an integer"))
    #expect(problem.localizedDescription == problem.description)
    #expect(throws: problem) { _ = try store.resolve(Link<Contact>("ada")) }
    let error = try #require(throws: EditError.self) {
      _ = try store.makeEditScope().object("ada", as: Contact.self)
    }
    #expect(error.code == .invalid)
  }

  private static func text(_ store: ItemStore, _ path: RelativePath) throws -> String {
    let item = try #require(store.published.state.items.first { $0.value.path == path }?.value)
    return String(decoding: try store.fileBytes(at: item.path), as: UTF8.self)
  }

  /// Returns the error of a save, and nil if it did not fail.
  private static func error(_ body: () async throws -> some Any) async -> EditError? {
    do {
      _ = try await body()
      return nil
    } catch let error as EditError {
      return error
    } catch let error as SaveError {
      return error.failures.first
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test func `save inserts a contact, and with its original writes only what differs`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": adaText])
    #expect(try await store.save(Contact(id: "friends/bob", name: "Bob", rating: 3)).result == .inserted)
    #expect(try Self.text(store, "friends/bob.yaml") == "name: Bob\nrating: 3\n")
    var ada = try #require(try store.object("ada", as: Contact.self))
    #expect(try await store.save(ada).result == .unchanged)
    #expect(try Self.text(store, "ada.yaml") == adaText)
    let original = ada
    ada.rating = 9
    #expect(try await store.save(ada, from: original).result == .updated(isMerged: false))
    #expect(try Self.text(store, "ada.yaml") == adaText + "rating: 9\n")
    #expect(try store.object("ada", as: Contact.self) == ada)
    #expect(try store.object("nobody", as: Contact.self) == nil)
  }

  @Test func `insert chooses the format and the path of the file`() async throws {
    let store = try await ItemStore.temporary([".notes-watch.yaml": "id-field: email\n"])
    let bob = Contact(id: "bob@example.org", name: "Bob", rating: 3, email: "bob@example.org")
    let ada = Contact(id: "ada@example.org", name: "Ada", rating: 9, email: "ada@example.org")
    try await store.insert(bob, at: "friends/bob.yaml")
    try await store.insert(ada, format: .markdown, at: "friends/ada.md")
    #expect(Array(try store.fetch(of: Contact.self, in: "friends/", sort: "name")) == [ada, bob])
    #expect(
      try Self.text(store, "friends/ada.md") == "---\nname: Ada\nrating: 9\nemail: ada@example.org\n---\n")
    let error = await Self.error {
      try await store.insert(Contact(id: "eve@example.org", name: "Eve", rating: 0), at: "friends/bob.yaml")
    }
    #expect(error?.code == .exists)
    #expect(try store.fetch(of: Contact.self).count == 2)
  }

  @Test func `nil removes a field, and a field with a default becomes null`() async throws {
    struct Note: PlainModel {
      var id: String, title: String?, mood: String?
      static let defaults: Fields = ["mood": "fine"]
    }
    let store = try await ItemStore.temporary(["a.yaml": "title: x\nother: 1\n"])
    try await store.replace(Note(id: "a", title: nil, mood: nil))
    #expect(try Self.text(store, "a.yaml") == "other: 1\nmood: null\n")
    #expect(try store.object("a", as: Note.self) == Note(id: "a", title: nil, mood: nil))
    try await store.save(Note(id: "b", title: "y", mood: nil))
    #expect(try store.object("b", as: Note.self) == Note(id: "b", title: "y", mood: nil))
  }

  private struct Place: PlainModel {
    var id: String
    var city: String
  }

  @Test func `models of several types are saved one by one`() async throws {
    let store = try await ItemStore.temporary()
    let models: [any PlainModel] = [
      Place(id: "places/a", city: "Paris"), Contact(id: "people/ada", name: "Ada", rating: 9),
    ]
    func save(_ model: some PlainModel) async throws { try await store.save(model) }
    for model in models { try await save(model) }
    #expect(store.count == 2)
  }

  @Test func `several contacts are saved as one update`() async throws {
    let store = try await ItemStore.temporary()
    var updates = store.list(FetchRequest()).updates.makeAsyncIterator()
    _ = await updates.next()
    try await store.save([
      Contact(id: "ada", name: "Ada", rating: 1), Contact(id: "bob", name: "Bob", rating: 2),
    ])
    #expect(await updates.next()?.new.count == 2)
    try await store.update(["ada", "bob"], as: Contact.self) { $0.rating += 1 }
    #expect(await updates.next()?.new.map { $0.value(at: "rating") } == [2, 3])
    try await store.delete(["ada", "bob"])
    #expect(await updates.next()?.new.count == 0)
    try await store.seed([Contact(id: "eve", name: "Eve", rating: 2)])
    try await store.delete("eve")
    #expect(store.count == 0)
  }

  @Test func `an invalid contact is not saved, and neither are the others of its save`() async throws {
    let store = try await ItemStore.temporary()
    await #expect(throws: Contact.Invalid()) {
      try await store.save([
        Contact(id: "ada", name: "Ada", rating: 1), Contact(id: "bob", name: "", rating: 2),
      ])
    }
    #expect(store.count == 0)
    await #expect(throws: Contact.Invalid()) {
      try await store.insert(Contact(id: "bob", name: "", rating: 2))
    }
    try await store.save(Contact(id: "ada", name: "Ada", rating: 1))
    await #expect(throws: Contact.Invalid()) {
      try await store.update("ada", as: Contact.self) { $0.name = "" }
    }
    #expect(try store.object("ada", as: Contact.self)?.name == "Ada")
  }

  @Test func `a value of another contact in a unique field is refused`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\nemail: ada@example.org\n", "bob.yaml": "name: Bob\n",
    ])
    let error = await Self.error {
      try await store.save(Contact(id: "bob", name: "Bob", rating: 0, email: "ada@example.org"))
    }
    #expect(error?.code == .invalid)
    #expect(
      error?.description
        == "bob.yaml: The field `email` must be unique, but the item `ada` has the value `ada@example.org`, too. Choose another value."
    )
    #expect(try Self.text(store, "bob.yaml") == "name: Bob\n")
    // The own value is no violation, and neither is none.
    try await store.update("ada", as: Contact.self) { $0.rating = 1 }
    try await store.save([Contact(id: "c", name: "C", rating: 0), Contact(id: "d", name: "D", rating: 0)])
  }

  @Test func `unique values are compared with those of the same save`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "name: Ada\nemail: a\n", "bob.yaml": "name: Bob\nemail: b\n",
    ])
    // Two contacts exchange their values.
    try await store.replace([
      Contact(id: "ada", name: "Ada", rating: 0, email: "b"),
      Contact(id: "bob", name: "Bob", rating: 0, email: "a"),
    ])
    #expect(try store.object("ada", as: Contact.self)?.email == "b")
    // Two new contacts have one value: the first gets it.
    let error = await Self.error {
      try await store.save([
        Contact(id: "eve", name: "Eve", rating: 0, email: "e"),
        Contact(id: "fay", name: "Fay", rating: 0, email: "e"),
      ])
    }
    #expect(error?.code == .invalid)
    #expect(error?.id == "fay")
    #expect(try store.object("eve", as: Contact.self)?.email == "e")
    #expect(store.item("fay") == nil)
  }

  @Test func `two saves at once cannot both take one unique value`() async throws {
    let store = try await ItemStore.temporary()
    let count = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          await Self.error {
            try await store.save(Contact(id: "c\(number)", name: "C", rating: 0, email: "one"))
          } == nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 1)
    #expect(store.count == 1)
  }

  @Test(arguments: [1, 2], MergePolicy.allCases) func `all of many concurrent updates count`(
    storeCount: Int, policy: MergePolicy
  ) async throws {
    let folder = try TemporaryFolder(["ada.yaml": adaText, "bob.yaml": "name: Bob\n"])
    let stores = try (0..<storeCount).map { _ in try ItemStore(at: folder.path) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        let store = stores[number % storeCount]
        group.addTask {
          _ = try await store.update("ada", as: Contact.self, policy: policy) { $0.rating += 1 }
        }
        if number.isMultiple(of: 10) {
          let ids: [Item.ID] = number.isMultiple(of: 20) ? ["ada", "bob"] : ["bob", "ada"]
          group.addTask {
            _ = try await store.update(ids, as: Contact.self, policy: policy) { $0.rating += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(String(decoding: try folder.bytes(of: "ada.yaml"), as: UTF8.self) == adaText + "rating: 44\n")
    #expect(String(decoding: try folder.bytes(of: "bob.yaml"), as: UTF8.self) == "name: Bob\nrating: 4\n")
  }

  @Test func `a save from the original keeps what others changed, or is a conflict`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": adaText], watching: false)
    let original = try #require(try store.object("ada", as: Contact.self))
    try await store.update("ada", [.set("email", "new@example.org"), .set("phones", [3])])
    var mine = original
    mine.rating = 5
    let error = await Self.error { try await store.save(mine, from: original) }
    #expect(error?.code == .conflict)
    try await store.save(mine, from: original, policy: .mergeByPropertyObjectTrump)
    #expect(
      try store.object("ada", as: Contact.self)
        == Contact(id: "ada", name: "Ada", rating: 5, email: "new@example.org"))
    #expect(store.item("ada")?.value(at: "phones") == [3])
    // Only `replace` brings old values back.
    #expect(await Self.error { try await store.save(mine) }?.code == .conflict)
    try await store.replace(mine)
    #expect(try store.object("ada", as: Contact.self) == mine)
    #expect(store.item("ada")?.value(at: "phones") == [3])
  }

  @Test func `a change of an unknown field by others is no conflict with the original`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": adaText], watching: false)
    let original = try #require(try store.object("ada", as: Contact.self))
    try await store.update("ada", [.set("phones", [3])])
    var mine = original
    mine.rating = 5
    try await store.save(mine, from: original)
    #expect(store.item("ada")?.value(at: "phones") == [3])
    #expect(store.item("ada")?.value(at: "rating") == 5)
  }

  @Test func `an item that was deleted is a conflict with the original, or comes back`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": adaText], watching: false)
    let original = try #require(try store.object("ada", as: Contact.self))
    try await store.delete("ada")
    var mine = original
    mine.rating = 5
    #expect(await Self.error { try await store.save(mine, from: original) }?.code == .conflict)
    #expect(store.count == 0)
    try await store.save(mine, from: original, policy: .mergeByPropertyObjectTrump)
    #expect(try store.object("ada", as: Contact.self) == mine)
  }

  @Test func `an item of another kind is not overwritten`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "name: [Ada]\n"])
    let error = await Self.error { try await store.save(Contact(id: "ada", name: "Ada", rating: 1)) }
    #expect(error?.code == .invalid)
    #expect(error?.message.hasPrefix("The item cannot be read as `Contact`: name: Expected a string") == true)
    #expect(try Self.text(store, "ada.yaml") == "name: [Ada]\n")
  }

  @Test func `the id of a model cannot be changed by a save`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": adaText])
    #expect(
      await Self.error { try await store.update("ada", as: Contact.self) { $0.id = "bob" } }?.code
        == .invalidID)
    #expect(
      await Self.error { try await store.update("nobody", as: Contact.self) { $0.rating = 1 } }?.code
        == .notFound)
    #expect(store.count == 1)
  }

  @Test func `where ids are fields, the id follows its field`() async throws {
    struct User: PlainModel {
      var id: String { email }
      var email: String
      var name: String
    }
    let store = try await ItemStore.temporary([
      ".notes-watch.yaml": "id-field: email\n", "u1.yaml": "email: a\nname: A\n",
    ])
    try await store.update("a", as: User.self) { $0.email = "b" }
    #expect(store.item("a") == nil)
    #expect(try store.object("b", as: User.self) == User(email: "b", name: "A"))
    #expect(store.item("b")?.path == "u1.yaml")
  }
}
