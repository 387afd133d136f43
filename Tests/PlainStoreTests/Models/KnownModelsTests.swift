@testable import Models
import Query
@testable import Store
import TestSupport
import Testing
import Values

private struct User: PlainModel {
  var id: String
  var email: String
  static let uniqueFields: [FieldPath] = ["email"]

  struct Invalid: Error, Equatable {}

  func validate() throws {
    if !email.contains("@") { throw Invalid() }
  }
}

/// Edits that name no type, of items that are models.
@Suite(.timeLimit(.minutes(1)))
struct KnownModelsTests {
  private enum Use: CaseIterable {
    case list, fetch, object, save
  }

  private static func use(_ use: Use, _ store: ItemStore) async throws {
    switch use {
    case .list: _ = try store.list(of: User.self)
    case .fetch: _ = try store.fetch(of: User.self)
    case .object: _ = try store.object("ada", as: User.self)
    case .save: try await store.save(User(id: "eve", email: "eve@example.org"))
    }
  }

  @Test(arguments: Use.allCases)
  private func `an edit without a type is validated as the model that the store knows`(use: Use) async throws
  {
    let store = try await ItemStore.temporary([
      "ada.yaml": "email: ada@example.org\n", "bob.yaml": "email: bob@example.org\n",
    ])
    try await Self.use(use, store)
    await #expect(throws: User.Invalid()) { try await store.update("ada", [.set("email", "nobody")]) }
    let error = try await #require(throws: EditError.self) {
      try await store.update("ada", [.set("email", "bob@example.org")])
    }
    #expect(error.code == .invalid)
    try await store.update("ada", [.set("email", "ada@new.org"), .set("note", "x")])
    #expect(store.item("ada")?.value(at: "email") == "ada@new.org")
  }

  @Test func `an invalid edit keeps a scope from being saved`() async throws {
    let store = try await ItemStore.temporary([
      "ada.yaml": "email: ada@example.org\n", "bob.yaml": "email: bob@example.org\n",
    ])
    _ = try store.fetch(of: User.self)
    var scope = store.makeEditScope()
    scope.update("ada", [.set("email", "nobody")])
    scope.update("bob", [.set("note", 1)])
    await #expect(throws: User.Invalid()) { try await store.save(scope) }
    #expect(store.item("bob")?.value(at: "note") == nil)
    let report = try await store.saveEach(scope)
    #expect(report.outcomes.map { $0.error?.code } == [.invalid, nil])
    #expect(store.item("ada")?.value(at: "email") == "ada@example.org")
    #expect(store.item("bob")?.value(at: "note") == 1)
  }

  @Test func `items of other folders and other kinds are edited freely`() async throws {
    let store = try await ItemStore.temporary([
      "users/ada.yaml": "email: ada@example.org\n", "logs/mail.yaml": "email: ada@example.org\n",
      "users/note.yaml": "text: x\n",
    ])
    _ = try store.list(of: User.self, in: "users/")
    try await store.update("logs/mail", [.set("email", "nobody")])
    try await store.update("users/note", [.set("text", "y")])
    await #expect(throws: User.Invalid()) { try await store.update("users/ada", [.set("email", "nobody")]) }
  }

  @Test func `an edit without a type is free before the store knows its model`() async throws {
    let store = try await ItemStore.temporary(["ada.yaml": "email: ada@example.org\n"])
    try await store.update("ada", [.set("email", "nobody")])
    #expect(store.item("ada")?.value(at: "email") == "nobody")
  }
}
