import Foundation
import PlainStore
import TestSupport
import Testing
import Values

/// The examples of `PlainStore.docc/Editing.md` compile as a user of the library has them, and do
/// what they say.
@Suite(.timeLimit(.minutes(1)))
struct EditingPageTests {
  private struct Person: PlainModel {
    var id: String
    var name: String
  }

  @Test func `the page has no other code`() throws {
    let page = try DocumentationPage("Sources/PlainStore/PlainStore.docc/Editing.md", below: #filePath)
    #expect(page.lines.count > 10)
    #expect(try page.firstLineMissing(in: #filePath) == nil)
  }

  @Test func `the examples hold`() async throws {
    let temporary = try TemporaryFolder(["ada.yaml": "name: Ada\nrating: 9\ngroup: friends\ntags: [new]\n"])
    let folder = temporary.path
    let store = try ItemStore(at: folder)
    var shown: [EditError] = []
    func show(_ error: EditError) { shown.append(error) }

    try await store.insert("bob", fields: ["name": "Bob", "rating": 3])
    try await store.update("bob", [.set("rating", 4)])
    #expect(store.item("bob")?.value(at: "rating")?.text == "4")
    try await store.rename("bob", to: "friends/bob")
    try await store.delete("friends/bob")
    #expect(try store.count() == 1)

    try await store.seed(["todos/tax.yaml": "due: 2020-02-02\ndone: false\n"])
    try await store.update(in: "todos/", where: "due < \(Date.now)", [.set("late", true)])
    #expect(store.item("todos/tax")?.value(at: "late") == true)
    try await store.update("todos/tax", [.set("done", true)])
    try await store.delete(in: "todos/", where: "done = \(true)")
    #expect(try store.count() == 1)

    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 10), .remove("tags")])
    scope.insert("friends/eve", fields: ["name": "Eve"], format: .json)
    do {
      if scope.hasChanges { try await store.save(scope) }
    } catch let error as SaveError {
      for failure in error.failures { show(failure) }
    }
    scope.rollback()
    #expect(shown.isEmpty)
    #expect(try store.count() == 2)
    #expect(!scope.hasChanges)

    try await store.seed(["people/ada.yaml": "name: Ada\n"])
    store.register(Person.self)
    try await store.rename("people/ada", to: "people/lovelace")
    try await store.delete("people/lovelace", links: .nullify)
    #expect(try store.count() == 2)

    var late = store.makeEditScope()
    late.update("ada", [.set("group", "work")])
    try await store.update("ada", [.set("rating", 1)])
    let merged = try await store.save(late, policy: .mergeByPropertyObjectTrump)
    #expect(merged.outcomes[0].result == .updated(isMerged: true))
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada\nrating: 1\ngroup: work\n")

    try await store.update("ada", [.append("urgent", to: "tags"), .removeValue("new", from: "tags")])
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada\nrating: 1\ngroup: work\ntags:\n  - urgent\n")

    var draft = store.makeEditScope()
    draft.update("ada", [.set("rating", 2), .remove("tags")])
    let saved = try await store.save(draft)
    let undone = try await store.save(saved.inverse)
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada\nrating: 1\ngroup: work\ntags:\n  - urgent\n")
    try await store.save(undone.inverse)  // redo
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada\nrating: 2\ngroup: work\n")

    let once = try await ItemStore.open(folder, watching: false)
    try await once.update("ada", [.set("name", "Ada Lovelace")])
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada Lovelace\nrating: 2\ngroup: work\n")
  }
}
