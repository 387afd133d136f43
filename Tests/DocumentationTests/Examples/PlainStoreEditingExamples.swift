import Foundation
import PlainStore

/// The examples in the documentation comments of `PlainStore` about edits, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct PlainStoreEditingExamples {
  typealias Contact = PlainStoreModelExamples.Contact
  typealias Author = Contact

  struct Book: PlainModel {
    var id: String
    var author: Link<Author>?
  }

  // Store/Editing/EditScope.swift
  func editScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    scope.insert("bob", fields: ["name": "Bob"])
    try await store.save(scope)
  }

  // Store/Editing/EditScope.swift
  func renameInScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.rename("ada", to: "friends/ada")
    scope.update("friends/ada", [.set("group", "friends")])
    try await store.save(scope)
  }

  // Store/Editing/Report/SaveReport.swift
  func saveError(_ store: ItemStore, _ scope: EditScope) async throws {
    var scope = store.makeEditScope()
    scope.delete("bob")
    do {
      try await store.save(scope)
    } catch let error as SaveError {
      for failure in error.failures { print(failure) }
    }
  }

  // Store/Editing/Report/SaveReport.swift
  func undoOfOutcome(_ store: ItemStore) async throws {
    let outcome = try await store.delete("ada")
    try await store.save(outcome.inverse)
  }

  // Store/Editing/Report/SaveReport.swift
  func undo(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    scope.delete("bob")
    let report = try await store.save(scope)
    let undone = try await store.save(report.inverse)
    try await store.save(undone.inverse)
  }

  // Store/Store/ItemStore+Saving.swift
  func save(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    scope.delete("bob")
    try await store.save(scope)
  }

  // Store/Store/ItemStore+Saving.swift
  func saveEach(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    for id in ["ada", "bob"] as [Item.ID] { scope.update(id, [.append("seen", to: "tags")]) }
    let report = try await store.saveEach(scope)
    for failure in report.failures { print(failure) }
  }

  // Store/Store/ItemStore+Saving.swift
  func insert(_ store: ItemStore) async throws {
    try await store.insert("friends/bob", fields: ["name": "Bob", "rating": 3])
  }

  // Store/Store/ItemStore+Saving.swift
  func update(_ store: ItemStore) async throws {
    try await store.update("ada", [.set("rating", 9), .append("new", to: "tags")])
  }

  // Store/Store/ItemStore+Links.swift
  func rename(_ store: ItemStore) async throws {
    try await store.rename("ada", to: "friends/ada")
  }

  // Store/Store/ItemStore+Links.swift
  func itemsWithLinks(_ store: ItemStore) {
    store.register(Book.self)
    print(store.items(linkingTo: "people/ada").map(\.id))
  }

  // Store/Store/ItemStore+Links.swift
  func deleteWithLinks(_ store: ItemStore) async throws {
    store.register(Book.self)
    try await store.delete("people/ada", links: .nullify)
  }

  // Models/ItemStore+ModelLists.swift
  func register(_ store: ItemStore) {
    store.register(Author.self, Book.self)
  }

  // Store/Store/ItemStore+Saving.swift
  func updateWhere(_ store: ItemStore) async throws {
    try await store.update(in: "todos/", where: "due < \(Date.now)", [.set("late", true)])
  }

  // Store/Store/ItemStore+Saving.swift
  func deleteWhere(_ store: ItemStore) async throws {
    try await store.delete(in: "todos/", where: "done = \(true)")
  }

  // Store/Editing/Scope/Draft.swift
  func readScope(_ store: ItemStore) {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    print(scope.item("ada")?.value(at: "rating") ?? .null)  // 9, and the store still has the old one
  }

  // Store/Editing/Scope/Draft.swift
  func listScope(_ store: ItemStore) {
    let scope = store.makeEditScope()
    let list = scope.list(FetchRequest(sort: ["-rating"]))
    print(list.count)
  }

  // Models/EditScope+Models.swift
  func listScopeOfType(_ store: ItemStore) throws {
    var scope = store.makeEditScope()
    try scope.update("ada", as: Contact.self) { $0.rating += 1 }
    print(try scope.fetch(of: Contact.self, where: "rating >= \(3)", sort: "-rating").map(\.name))
  }
}
