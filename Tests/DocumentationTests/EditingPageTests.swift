import PlainStore
import TestSupport
import Testing
import Values

/// The examples of `PlainStore.docc/Editing.md` compile as a user of the library has them, and do
/// what they say.
@Suite(.timeLimit(.minutes(1)))
struct EditingPageTests {
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
    #expect(store.count == 1)

    var scope = store.makeEditScope()
    scope.update("ada", [.set("rating", 10), .remove("tags")])
    scope.insert("friends/eve", fields: ["name": "Eve"], format: .json)
    if scope.hasChanges {
      let report = try await store.saveEach(scope)
      for failure in report.failures { show(failure) }
    }
    scope.rollback()
    #expect(shown.isEmpty)
    #expect(store.count == 2)
    #expect(!scope.hasChanges)

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

    let conflict = saved.failures.first?.conflict
    print(conflict?.expected ?? [], conflict?.found ?? [])
    #expect(conflict == nil)
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada\nrating: 2\ngroup: work\n")

    let editor = try ItemEditor(root: folder)
    let file = try editor.read("ada")
    var edits = EditScope()
    edits.update(file.id, [.set("name", "Ada Lovelace")], readAt: file.revision)
    let previews = try editor.preview(edits)
    let outcome = try editor.save(edits).outcomes[0]
    #expect(previews[0].outcome.result == outcome.result)
    #expect(outcome.result == .updated(isMerged: false))
    #expect(try temporary.shell("cat ada.yaml") == "name: Ada Lovelace\nrating: 2\ngroup: work\n")
  }
}
