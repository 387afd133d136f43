import Files
import Foundation
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values
import Watch

@testable import Folder
@testable import Query

@Suite struct ItemEditorTextsTests {
  @Test func `a broken text can be read and repaired`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: [1\n", "b.json": "{}"])
    let editor = try ItemEditor(root: folder.path)
    var session = try editor.session()
    let broken = try session.readText(Item.ID(printed: "a"))
    #expect(broken.bytes == Array("k: [1\n".utf8))
    #expect(broken.format == .yaml)
    #expect(broken.path.description == "a.yaml")
    var scope = EditScope()
    scope.replace(broken.id, with: Array("k: [1]\n".utf8), readAt: broken.revision)
    try editor.save(scope)
    #expect(try folder.bytes(of: "a.yaml") == Array("k: [1]\n".utf8))
    // The file no longer holds the text that was read.
    scope.replace(broken.id, with: Array("k: 2\n".utf8), readAt: broken.revision)
    #expect(try editor.saveEach(scope).failures.map(\.code) == [.conflict])
    #expect(throws: EditError.self) { try session.readText(Item.ID(printed: "c")) }
  }

  @Test func `new items follow the format of their folder`() throws {
    let folder = try TemporaryFolder([
      "posts/a.md": "x", "posts/b.md": "x", "posts/deep/c.json": "{}", "posts/d.json": "{}",
    ])
    var session = try ItemEditor(root: folder.path).session()
    #expect(try session.newItems.plan("posts/x") { $0 }.format == .markdown)
    #expect(try session.newItems.plan("posts/deep/x") { $0 }.format == .json)
    #expect(try session.newItems.plan("x") { $0 }.format == .yaml)
    let plan = try session.newItems.plan("x") { try $0.applying([.set("k", .bool(true))]) }
    #expect(try session.text(of: plan) == Array("k: true\n".utf8))
  }

  @Test func `the questions about a save and the save use the settings that were read once`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n"])
    var session = try ItemEditor(root: folder.path).session()
    try folder.write("ignore: ['*.yaml']\n", to: ".notes-watch.yaml")
    #expect(try session.ids(named: ["a.yaml"]).map { try $0.get() } == ["a"])
    #expect(try session.readAll(["a"])[0].get().path == "a.yaml")
    var scope = EditScope()
    scope.update("a", [.set("k", .null)])
    session.begin(scope)
    #expect(session.next()?.result == .updated(isMerged: false))
    #expect(session.next()?.id == nil)
  }

  @Test func `each outcome is known before the next change is made`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    var session = try ItemEditor(root: folder.path).session()
    var scope = EditScope()
    for id in ["a", "nobody", "b"] { scope.update(Item.ID(printed: id), [.set("k", .null)]) }
    session.begin(scope)
    #expect(session.next()?.result == .updated(isMerged: false))
    #expect(session.next()?.error?.code == .notFound)
    session.cancel()
    #expect(session.next()?.id == nil)
    #expect(try folder.bytes(of: "b.yaml") == Array("k: 1\n".utf8))
  }

  @Test func `a save that is cancelled leaves no temporary file`() throws {
    let folder = try TemporaryFolder(["a.yaml": "k: 1\n", "b.yaml": "k: 1\n"])
    var abilities = FileSaver.Abilities()
    abilities.acquireLease = { _ in EACCES }
    abilities.grace = .milliseconds(20)
    let editor = ItemEditor(root: folder.path, options: StoreOptions(), abilities: abilities)
    var session = try editor.session()
    var scope = EditScope()
    for id in ["a", "nobody", "b"] { scope.update(Item.ID(printed: id), [.set("k", .null)]) }
    session.begin(scope)
    // The outcome of the first change is known after the grace period.
    #expect(session.next()?.error?.code == .notFound)
    session.cancel()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.yaml", "b.yaml"])
    #expect(try folder.bytes(of: "a.yaml") == Array("k: null\n".utf8))
    #expect(try folder.bytes(of: "b.yaml") == Array("k: 1\n".utf8))
  }
}
