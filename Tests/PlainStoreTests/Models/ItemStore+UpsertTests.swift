import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Adding models by the value of a field.
struct ItemStoreUpsertTests {
  private struct User: PlainModel {
    var id: String
    var email: String
    var name: String
  }

  @Test func `a model gives its values to the item with the same value, whatever its id`() async throws {
    let folder = try TemporaryFolder(["u1.yaml": "email: ada@example.org # work\nname: Ada\nphone: 1\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let outcome = try await store.upsert(
      User(id: "u7", email: "ada@example.org", name: "Ada King"), by: "email")
    #expect(outcome.id == "u1")
    #expect(try folder.text(of: "u1.yaml") == "email: ada@example.org # work\nname: Ada King\nphone: 1\n")
    try await store.upsert(User(id: "u7", email: "bob@example.org", name: "Bob"), by: "email")
    #expect(try store.fetch(of: User.self, sort: "@id").map(\.name) == ["Ada King", "Bob"])
    try await store.save(outcome.inverse)
    #expect(try folder.text(of: "u1.yaml") == "email: ada@example.org # work\nname: Ada\nphone: 1\n")
  }

  @Test func `several models are one update`() async throws {
    let store = try await ItemStore.temporary(["u1.yaml": "email: a\nname: A\n", "x.yaml": "email: b\n"])
    var updates = try store.list().updates.makeAsyncIterator()
    _ = await updates.next()
    let report = try await store.upsert(
      [User(id: "n1", email: "a", name: "A2"), User(id: "n2", email: "b", name: "B")], by: "email")
    // x.yaml is no user, so it is not the item of `b`.
    #expect(report.outcomes.map(\.id) == ["u1", "n2"])
    #expect(await updates.next()?.changes.map(\.description) == ["+ n2 at 0", "~ u1 at 1"])
  }

  @Test func `what is not clear is refused, and nothing is written`() async throws {
    let texts = [
      "u1.yaml": "email: a\nname: A\n", "u2.yaml": "email: a\nname: B\n", "u3.yaml": "email: c\nname: C\n",
    ]
    let folder = try TemporaryFolder(texts)
    let store = try await ItemStore.open(folder.path, watching: false)
    func code(_ users: [User], by field: FieldPath) async -> ErrorCode? {
      do { try await store.upsert(users, by: field) } catch { return (error as? any PlainStoreError)?.code }
      return nil
    }
    #expect(await code([User(id: "n", email: "a", name: "N")], by: "email") == .ambiguous)
    #expect(
      await code([User(id: "n", email: "n", name: "N"), User(id: "m", email: "n", name: "M")], by: "email")
        == .invalid)
    #expect(
      await code([User(id: "n", email: "n", name: "N"), User(id: "n", email: "m", name: "M")], by: "email")
        == .invalid)
    #expect(await code([User(id: "n", email: "n", name: "N")], by: "mail") == .malformed)
    // The id is taken by an item with another value, which nobody asked to overwrite.
    #expect(await code([User(id: "u3", email: "n", name: "N")], by: "email") == .exists)
    for (name, text) in texts { #expect(try folder.text(of: name) == text) }
    #expect(try store.count() == 3)
  }

  @Test func `upserts of one value at the same time add one item`() async throws {
    let store = try await ItemStore.temporary()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await store.upsert(User(id: "u\(number)", email: "a", name: "A\(number)"), by: "email")
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.count() == 1)
  }

  @Test func `no model gets lost between the ids of others`() async throws {
    let texts = ["b.yaml": "email: x\nname: B\n"]
    for users in [
      [User(id: "b", email: "y", name: "Y"), User(id: "a", email: "x", name: "X")],
      [User(id: "a", email: "x", name: "X"), User(id: "b", email: "y", name: "Y")],
    ] {
      let folder = try TemporaryFolder(texts)
      let store = try await ItemStore.open(folder.path, watching: false)
      let error = await #expect(throws: EditError.self) { try await store.upsert(users, by: "email") }
      #expect(error?.code == .exists)
      #expect(try folder.text(of: "b.yaml") == texts["b.yaml"])
      #expect(try store.count() == 1)
    }
  }

  @Test func `an item whose value changed meanwhile is left alone`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "email: old\nname: Ada\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    // The store does not see this change before it saves.
    try folder.write("email: new\nname: Ada\n", to: "ada.yaml")
    try await store.upsert(User(id: "u7", email: "old", name: "Other"), by: "email")
    #expect(try folder.text(of: "ada.yaml") == "email: new\nname: Ada\n")
    #expect(try store.object("u7", as: User.self)?.name == "Other")
  }

  @Test func `an upsert changes no id`() async throws {
    struct Named: PlainModel {
      var name: String
      var email: String
      var id: String { name }
      enum CodingKeys: String, CodingKey { case name, email }
    }
    let folder = try TemporaryFolder(["ada.yaml": "name: ada\nemail: a\n"])
    let store = try await ItemStore.open(folder.path, watching: false)
    let error = await #expect(throws: EditError.self) {
      try await store.upsert(Named(name: "eve", email: "a"), by: "email")
    }
    #expect(error?.code == .invalidID)
    #expect(try folder.text(of: "ada.yaml") == "name: ada\nemail: a\n")
  }

  private struct Tagged: PlainModel {
    var id: Item.ID
    var email: String
    static let uniqueFields: [FieldPath] = ["email"]
  }

  @Test func `a model with the id of a row in a section has an outcome`() async throws {
    let store = try await ItemStore.temporary(["c.yaml": "email: c\n"])
    let a = Tagged(id: Item.ID("a", in: "s"), email: "a")
    #expect(try await store.upsert([a], by: "email").outcomes.map(\.description) == ["a: inserted"])
    let b = Tagged(id: Item.ID("a", in: "t"), email: "b")
    #expect(try await store.replace([b]).outcomes.map(\.description) == ["a: updated"])
    #expect(try await store.save(a, from: b).result == .updated(isMerged: false))
    let other = Tagged(id: Item.ID("n", in: "s"), email: "c")
    let error = await #expect(throws: SaveError.self) { try await store.save([other]) }
    #expect(error?.code == .invalid)
  }

  @Test func `a refused upsert leaves no change in the scope`() async throws {
    let store = try await ItemStore.temporary([
      ".notes-watch.yaml": "id-field: meta.key\n", "x.yaml": "email: a\nmeta: {key: k}\n",
    ])
    var scope = store.makeEditScope()
    let entry = Entry(id: "n", email: "a", meta: Entry.Meta(key: "m"))
    #expect(throws: EditError.self) { try scope.upsert(entry, to: "k", amongst: [:]) }
    #expect(!scope.hasChanges)
  }

  private struct Entry: PlainModel {
    struct Meta: Codable, Equatable { var key: String }
    var id: String
    var email: String
    var meta: Meta?
    var codes: [String] = []
    static let defaults: Fields = ["codes": []]
  }

  @Test(arguments: ["meta.key", "codes[0]", "/codes/0"])
  func `an upsert changes no id that a part of a field makes`(_ key: String) async throws {
    let text = "email: a\nmeta:\n  key: k\ncodes: [k, l]\n"
    let folder = try TemporaryFolder([".notes-watch.yaml": "id-field: \(key)\n", "x.yaml": text])
    let store = try await ItemStore.open(folder.path, watching: false)
    let same = Entry(id: "n", email: "a", meta: Entry.Meta(key: "k"), codes: ["k", "l"])
    for entry in [
      Entry(id: "n", email: "a", meta: nil, codes: ["m", "l"]),
      Entry(id: "n", email: "a", meta: Entry.Meta(key: "m"), codes: ["l"]),
      Entry(id: "n", email: "a", meta: nil, codes: []),
    ] {
      let error = await #expect(throws: EditError.self) { try await store.upsert(entry, by: "email") }
      #expect(error?.code == .invalidID, "\(entry)")
      #expect(try folder.text(of: "x.yaml") == text, "\(entry)")
      #expect(try store.fetch().map(\.id) == ["k"])
    }
    #expect(try await store.upsert(same, by: "email").result == .unchanged)
  }
}
