import DirectoryWatch
import Foundation
import PlainText
import TestSupport
import Testing

@testable import PlainStore

struct LeftoverSweepTests {
  private static func name(of path: RelativePath, in folder: OpenFolder) throws -> RelativePath {
    TemporaryName.old(TemporaryName.Identity(try #require(try folder.stamp(of: path)))).make()
  }

  @Test func `What a killed writer left goes with the next save, unless it may be what an editor saved`() throws {
    let temporary = try TemporaryFolder(["a.yaml": "k: 1\n", "read.yaml": "k: 1\n", "lost.yaml": "k: 1\n", ".notes-watch.keep": "mine"])
    let root = try #require(OpenFolder(temporary.path))
    // It was being written.
    try temporary.write("k: half", to: TemporaryName.new.make().description)
    // Exchanged, and killed before the old file went.
    try temporary.shell("mv read.yaml '\(try Self.name(of: "read.yaml", in: root))'")
    // Killed before the exchange: the file that was read is still there.
    try temporary.write("k: 2\n", to: try Self.name(of: "a.yaml", in: root).description)
    // Killed behind an exchange that brought out something else.
    let kept = try Self.name(of: "lost.yaml", in: root)
    try temporary.write("an editor's", to: kept.description)
    try temporary.remove("lost.yaml")

    var scope = EditScope()
    scope.insert("b", fields: [:])
    try ItemEditor(root: temporary.path).save(scope).check()
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted()
    #expect(names == [".notes-watch.keep", kept.description, "a.yaml", "b.yaml"])
  }

  @Test func `What another writer is at work on stays`() throws {
    let temporary = try TemporaryFolder(["d/a.yaml": "k: 1\n"])
    let root = try #require(OpenFolder(temporary.path))
    let busy = try #require(try SaveFolder.open("d", below: root))
    #expect(try busy.lock() == .held)
    let other = try #require(try SaveFolder.open("d", below: root))
    #expect(try other.lock(patience: .zero) == .busy)
    busy.unlock()
    #expect(try other.lock(patience: .zero) == .held)
  }
}
