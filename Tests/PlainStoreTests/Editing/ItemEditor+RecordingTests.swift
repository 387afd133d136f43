import Files
import Foundation
import Query
import Synchronization
import TestSupport
import Testing
import Values

@testable import PlainStore

/// Saves that are recorded, so that a program can recognize its own changes.
struct ItemEditorRecordingTests {
  /// What a save was about to write, and what the folder had at that moment.
  private struct Write: Equatable {
    let path: String
    let content: String?
    let before: String?
  }

  /// Makes the changes of a scope and returns what was recorded.
  private func writes(
    in folder: TemporaryFolder, idFields: [FieldPath]? = nil, abilities: FileSaver.Abilities = FileSaver.Abilities(),
    _ change: (inout EditScope) -> Void
  ) throws -> [Write] {
    let recorded = Recorded()
    let root = folder.path
    var options = StoreOptions(idFields: idFields)
    options.recordWrite = { path, content, replaced in
      let before = FileManager.default.contents(atPath: "\(root)/\(path)")
      #expect(replaced?.bytes == before.map(Array.init))
      #expect(replaced?.stamp == (try? FileStatus(in: AT_FDCWD, "\(root)/\(path)"))?.stamp)
      recorded.writes.withLock {
        $0.append(
          Write(
            path: path.description, content: content.map { String(decoding: $0, as: UTF8.self) },
            before: before.map { String(decoding: $0, as: UTF8.self) }))
      }
    }
    var scope = EditScope()
    change(&scope)
    _ = try ItemEditor(root: root, options: options, abilities: abilities).saveEach(scope)
    return recorded.writes.withLock(\.self)
  }

  private final class Recorded: Sendable {
    let writes = Mutex<[Write]>([])
  }

  @Test func `a replaced, a created and a deleted file are recorded before a reader can see them`() throws {
    let folder = try TemporaryFolder(["ada.yaml": "n: 1\n", "d/bob.yaml": "n: 2\n"])
    let writes = try writes(in: folder) {
      $0.update("ada", [.set("n", 5)])
      $0.delete("d/bob")
      $0.insert("d/cleo", fields: ["n": 3])
    }
    #expect(writes.map(\.path) == ["ada.yaml", "d/bob.yaml", "d/cleo.yaml"])
    #expect(writes.map(\.before) == ["n: 1\n", "n: 2\n", nil])
    #expect(writes.map(\.content) == ["n: 5\n", nil, try folder.text(of: "d/cleo.yaml")])
    #expect(try folder.text(of: "ada.yaml") == "n: 5\n")
  }

  @Test func `a file system without exchange and leases is recorded in the same way`() throws {
    let folder = try TemporaryFolder(["ada.yaml": "n: 1\n"])
    var abilities = FileSaver.Abilities()
    abilities.exchanges = false
    abilities.acquireLease = { _ in EACCES }
    abilities.grace = .milliseconds(1)
    let writes = try writes(in: folder, abilities: abilities) { $0.update("ada", [.set("n", 5)]) }
    #expect(writes == [Write(path: "ada.yaml", content: "n: 5\n", before: "n: 1\n")])
  }

  @Test func `a renamed file is recorded under both names`() throws {
    let folder = try TemporaryFolder(["ada.yaml": "n: 1\n"])
    let writes = try writes(in: folder) { $0.rename("ada", to: "d/bea") }
    #expect(
      writes == [
        Write(path: "ada.yaml", content: nil, before: "n: 1\n"), Write(path: "d/bea.yaml", content: "n: 1\n", before: nil),
      ])
    #expect(try folder.text(of: "d/bea.yaml") == "n: 1\n")
  }

  @Test func `a renamed item whose id is a field is recorded as a replaced file`() throws {
    let folder = try TemporaryFolder(["a.yaml": "key: ada\n"])
    let writes = try writes(in: folder, idFields: ["key"]) { $0.rename("ada", to: "bea") }
    #expect(writes == [Write(path: "a.yaml", content: "key: bea\n", before: "key: ada\n")])
  }

  @Test func `a save that changes nothing or fails early records nothing`() throws {
    let folder = try TemporaryFolder(["ada.yaml": "n: 1\n"])
    let writes = try writes(in: folder) {
      $0.update("ada", [.set("n", 1)])
      $0.update("nobody", [.set("n", 1)])
      $0.rename("ada", to: "ada")
    }
    #expect(writes == [])
  }
}
