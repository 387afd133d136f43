import Files
import Foundation
import Query
@testable import Store
import TestSupport
import Testing

@testable import Folder

struct SaveFolderTests {
  @Test func `folders created for a path that fails are removed`() throws {
    let temporary = try TemporaryFolder(["d/a.yaml": "k: 1\n"])
    let root = try OpenFolder(temporary.path)
    let long = String(repeating: "x", count: 300)
    for way in ["p/q/\(long)/r", "d/q/\(long)"] {
      let path = try #require(RelativePath(printed: way))
      #expect(throws: Problem.self) { try SaveFolder.make(path, below: root) }
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: temporary.path).sorted() == ["d", "d/a.yaml"])
    #expect(try SaveFolder.make("d/e/f", below: root).made == ["d/e", "d/e/f"])
  }
}
