import DirectoryWatch
import Foundation
import PlainText
import TestSupport
import Testing

@testable import PlainStore

struct LeftoverSweepTests {
  private static func name(of read: RelativePath, new: RelativePath? = nil, in folder: OpenFolder) throws -> RelativePath {
    func identity(_ path: RelativePath) throws -> TemporaryName.Identity {
      TemporaryName.Identity(try #require(try folder.stamp(of: path)))
    }
    return TemporaryName.old(read: try identity(read), new: try new.map(identity), digest: nil).make()
  }

  @Test func `What a killed writer left goes with the next save, unless it may be what an editor saved`() throws {
    let temporary = try TemporaryFolder([
      "a.yaml": "k: 1\n", "read.yaml": "k: 1\n", "gone.yaml": "k: 1\n", "new": "k: 2\n", ".notes-watch.keep": "mine",
    ])
    let root = try #require(OpenFolder(temporary.path))
    // It was being written.
    try temporary.write("k: half", to: TemporaryName.new.make().description)
    // What came out of an exchange is an editor's.
    let kept = try Self.name(of: "a.yaml", new: "new", in: root)
    try temporary.write("an editor's", to: kept.description)
    // Exchanged, or to be deleted, and killed before the old file went; and killed before the exchange.
    let exchanged = try Self.name(of: "read.yaml", new: "new", in: root)
    let waiting = try Self.name(of: "a.yaml", new: "new", in: root)
    let deleted = try Self.name(of: "gone.yaml", in: root)
    try temporary.shell("mv read.yaml \(exchanged); mv new \(waiting); mv gone.yaml \(deleted)")

    var scope = EditScope()
    scope.insert("b", fields: [:])
    let report = try ItemEditor(root: temporary.path).save(scope)
    try report.check()
    #expect(report.outcomes[0].warnings.first?.hasPrefix("\(kept): This may be") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted()
    #expect(names == [".notes-watch.keep", kept.description, "a.yaml", "b.yaml"])
  }

  @Test func `What another writer is at work on stays`() throws {
    let temporary = try TemporaryFolder(["d/a.yaml": "k: 1\n"])
    let root = try #require(OpenFolder(temporary.path))
    var busy = try SaveFolder.open("d", below: root)
    #expect(try busy?.lock(patience: .zero) == .held)
    let other = try #require(try SaveFolder.open("d", below: root))
    #expect(try other.lock(patience: .zero) == .busy)
    busy = nil
    #expect(try other.lock(patience: .zero) == .held)
  }
}
