import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

@Suite struct EditConflictTests {
  private func conflict(_ report: SaveReport) -> EditConflict? { report.failures.first?.conflict }

  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test func `a change that is based on a text has both texts of the file`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1 # one\n"])
    let editor = try ItemEditor(root: folder.path)
    let file = try editor.read("a")
    try folder.write("n: 2 # two\n", to: "a.yaml")
    var scope = EditScope()
    scope.replace("a", with: Array("n: 3\n".utf8), readAt: file.revision)
    let conflict = try #require(conflict(try editor.saveEach(scope)))
    #expect(text(conflict.expected) == "n: 1 # one\n")
    #expect(text(conflict.found) == "n: 2 # two\n")
    #expect(conflict.description == "expected 11 bytes, found 11 bytes")
  }

  @Test func `a change that is based on values has both sides written from values`() throws {
    let folder = try TemporaryFolder(["a.yaml": "# comment\nm:   1\n"])
    let item = try #require(try ItemStore(at: folder.path).item("a"))
    try folder.write("# comment\nm:   2\n", to: "a.yaml")
    var scope = EditScope()
    scope.delete("a", readAt: item.revision)
    let conflict = try #require(conflict(try ItemEditor(root: folder.path).saveEach(scope)))
    #expect(text(conflict.expected) == "m: 1\n")
    #expect(text(conflict.found) == "m: 2\n")
  }

  @Test func `a text that cannot be read is found as it is, and a missing file is none`() throws {
    let folder = try TemporaryFolder(["a.yaml": "m: 1\n"])
    let item = try #require(try ItemStore(at: folder.path).item("a"))
    var scope = EditScope()
    scope.delete("a", readAt: item.revision)
    try folder.write("n: [\n", to: "a.yaml")
    #expect(text(conflict(try ItemEditor(root: folder.path).saveEach(scope))?.found) == "n: [\n")
    var update = EditScope()
    update.update("a", [.set("m", 2)], readAt: item.revision)
    try folder.remove("a.yaml")
    let gone = try #require(conflict(try ItemEditor(root: folder.path).saveEach(update)))
    #expect(gone.found == nil)
    #expect(gone.description == "expected 5 bytes, found no file")
  }

  @Test func `an undo of a deletion that meets a new file expects none`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let editor = try ItemEditor(root: folder.path)
    var scope = EditScope()
    scope.delete("a")
    let undo = try editor.save(scope).inverse
    try folder.write("n: 2\n", to: "a.yaml")
    let conflict = try #require(conflict(try editor.saveEach(undo)))
    #expect(conflict.expected == nil)
    #expect(text(conflict.found) == "n: 2\n")
    #expect(try folder.bytes(of: "a.yaml") == Array("n: 2\n".utf8))
  }

  @Test func `a scope that undoes some outcomes undoes only those`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n", "b.yaml": "n: 1\n"])
    let editor = try ItemEditor(root: folder.path)
    var scope = EditScope()
    for id in ["a", "b"] as [Item.ID] { scope.delete(id) }
    let outcomes = try editor.save(scope).outcomes
    try editor.save(EditScope(undoing: outcomes.filter { $0.id == "b" }))
    #expect(try folder.bytes(of: "b.yaml") == Array("n: 1\n".utf8))
    #expect(throws: (any Error).self) { try folder.bytes(of: "a.yaml") }
    #expect(!EditScope(undoing: []).hasChanges)
  }

  @Test func `two readings have the same values whatever else changed in the file`() throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 1\n"])
    let first = try #require(try ItemStore(at: folder.path).item("a")).revision
    try folder.write("n: 1 # one\n", to: "a.yaml")
    #expect(first.hasSameValues(as: try #require(try ItemStore(at: folder.path).item("a")).revision))
    try folder.write("n: 2\n", to: "a.yaml")
    #expect(!first.hasSameValues(as: try #require(try ItemStore(at: folder.path).item("a")).revision))
    try folder.shell("rm a.yaml; echo '{\"n\": 1}' > a.json")
    #expect(!first.hasSameValues(as: try #require(try ItemStore(at: folder.path).item("a")).revision))
  }
}
