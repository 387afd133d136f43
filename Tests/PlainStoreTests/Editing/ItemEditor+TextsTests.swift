import Files
import TestSupport
import Testing
import Values

@testable import Folder
@testable import PlainStore
@testable import Query

@Suite struct ItemEditorTextsTests {
  @Test func `a broken text can be read and repaired`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: [1\n", "b.json": "{}"])
    let editor = try ItemEditor(root: folder.path)
    let broken = try editor.readText(Item.ID(printed: "a"))
    #expect(broken.bytes == Array("k: [1\n".utf8))
    #expect(broken.format == .yaml)
    #expect(broken.path.description == "a.yaml")
    #expect(editor.problem(with: broken.bytes, as: .yaml)?.line == 1)
    #expect(editor.problem(with: Array("{}".utf8), as: .json) == nil)
    #expect(editor.problem(with: Array("[]".utf8), as: .json) != nil, "an item is a map")
    var scope = EditScope()
    scope.replace(broken.id, with: Array("k: [1]\n".utf8), readAt: broken.revision)
    try editor.save(scope)
    #expect(try folder.bytes(of: "a.yaml") == Array("k: [1]\n".utf8))
    // The file no longer holds the text that was read.
    scope.replace(broken.id, with: Array("k: 2\n".utf8), readAt: broken.revision)
    #expect(try editor.saveEach(scope).failures.map(\.code) == [.conflict])
    #expect(throws: EditError.self) { try editor.readText(Item.ID(printed: "c")) }
  }

  @Test func `new items follow the format of their folder`() throws {
    let folder = try TemporaryFolder(["posts/a.md": "x", "posts/b.md": "x", "posts/deep/c.json": "{}", "posts/d.json": "{}"])
    let editor = try ItemEditor(root: folder.path)
    var newItems = try editor.newItems(
      DefaultContext(now: Timestamp(seconds: 0, nanoseconds: 0), local: Timestamp(seconds: 0, nanoseconds: 0)))
    #expect(try newItems.plan("posts/x") { $0 }.format == .markdown)
    #expect(try newItems.plan("posts/deep/x") { $0 }.format == .json)
    #expect(try newItems.plan("x") { $0 }.format == .yaml)
    #expect(try editor.text(of: newItems.plan("x") { try $0.applying([.set("k", .bool(true))]) }) == Array("k: true\n".utf8))
  }

  @Test func `each outcome is reported as soon as it is known`() throws {
    struct Stop: Error {}
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    let editor = try ItemEditor(root: folder.path)
    var scope = EditScope()
    for id in ["a", "nobody", "b"] { scope.update(Item.ID(printed: id), [.set("k", .null)]) }
    var told: [SaveOutcome.Result?] = []
    #expect(throws: Stop.self) {
      try editor.save(scope, policy: .error) { outcome in
        told.append(outcome.error == nil ? outcome.result : nil)
        if outcome.error != nil { throw Stop() }
      }
    }
    #expect(told == [.updated(isMerged: false), nil])
    #expect(try folder.bytes(of: "b.yaml") == Array("k: 1\n".utf8))
  }
}
