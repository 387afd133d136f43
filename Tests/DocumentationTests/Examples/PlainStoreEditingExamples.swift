import PlainStore

/// The examples in the documentation comments of `PlainStore` about edits, copied line by line.
/// Those that are cheap to run are tests; the others only have to compile.
struct PlainStoreEditingExamples {
  typealias Contact = PlainStoreModelExamples.Contact

  // PlainStore/Editing/EditScope.swift
  func editScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    scope.insert("bob", fields: ["name": "Bob"])
    try await store.save(scope)
  }

  // PlainStore/Editing/EditScope.swift
  func renameInScope(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.rename("ada", to: "friends/ada")
    scope.update("friends/ada", [.set("group", "friends")])
    try await store.save(scope)
  }

  // PlainStore/Editing/ItemEditor.swift
  func itemEditor() throws {
    let editor = try ItemEditor(root: "contacts")
    var scope = EditScope()
    scope.update("friends/ada", [.set("rating", 9)])
    try editor.save(scope)
  }

  // PlainStore/Editing/Report/SaveError.swift
  func saveError(_ store: ItemStore, _ scope: EditScope) async throws {
    var scope = store.makeEditScope()
    scope.delete("bob")
    do {
      try await store.save(scope)
    } catch let error as SaveError {
      for failure in error.failures { print(failure) }
    }
  }

  // PlainStore/Editing/Report/SaveReport.swift
  func undoOfOutcome(_ store: ItemStore) async throws {
    let outcome = try await store.delete("ada")
    try await store.save(outcome.inverse)
  }

  // PlainStore/Editing/Report/SaveReport.swift
  func undo(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    scope.delete("bob")
    let report = try await store.save(scope)
    let undone = try await store.save(report.inverse)
    try await store.save(undone.inverse)
  }

  // PlainStore/Store/ItemStore+Saving.swift
  func save(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    scope.delete("bob")
    try await store.save(scope)
  }

  // PlainStore/Store/ItemStore+Saving.swift
  func saveEach(_ store: ItemStore) async throws {
    var scope = store.makeEditScope()
    for id in ["ada", "bob"] as [Item.ID] { scope.update(id, [.append("seen", to: "tags")]) }
    let report = try await store.saveEach(scope)
    for failure in report.failures { print(failure) }
  }

  // PlainStore/Store/ItemStore+Saving.swift
  func insert(_ store: ItemStore) async throws {
    try await store.insert("friends/bob", fields: ["name": "Bob", "rating": 3])
  }

  // PlainStore/Store/ItemStore+Saving.swift
  func update(_ store: ItemStore) async throws {
    try await store.update("ada", [.set("rating", 9), .append("new", to: "tags")])
  }

  // PlainStore/Store/ItemStore+Saving.swift
  func rename(_ store: ItemStore) async throws {
    try await store.rename("ada", to: "friends/ada")
  }

  // PlainStore/Editing/Scope/EditScope+Reading.swift
  func readScope(_ store: ItemStore) {
    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 9)])
    print(scope.item("ada")?.value(at: "rating") ?? .null)  // 9, and the store still has the old one
  }

  // PlainStore/Editing/Scope/EditScope+Reading.swift
  func listScope(_ store: ItemStore) {
    let scope = store.makeEditScope()
    let list = scope.list(FetchRequest(sort: ["-rating"]))
    print(list.count)
  }

  // PlainStore/Editing/Scope/EditScope+Reading.swift
  func listScopeOfType(_ store: ItemStore) throws {
    var scope = store.makeEditScope()
    try scope.update("ada", as: Contact.self) { $0.rating += 1 }
    print(try scope.list(of: Contact.self, where: "rating >= \(3)", sort: "-rating").map(\.name))
  }
}
