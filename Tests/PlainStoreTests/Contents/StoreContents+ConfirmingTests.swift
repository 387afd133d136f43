import Files
@testable import Store
import Testing
import Values
import Watch

@testable import Folder
@testable import Query

struct StoreContentsConfirmingTests {
  private static func contents(_ findings: Findings) -> StoreContents {
    var contents = StoreContents(settings: Settings(), options: ReadOptions())
    _ = contents.apply(findings)
    return contents
  }

  private let contents = Self.contents([("a.yaml", .item(FileStamp(size: 4), PackedValue(.map(["n": 1]))))])
  private let broken: Findings = ["a.yaml", "new.yaml"].map {
    ($0, .problem(Problem(path: $0, message: "No.")))
  }

  @Test func `a good file that is found broken is read again before that is a problem`() {
    var contents = contents
    let first = contents.confirm(broken, of: DirtyPaths(), mayWait: true)
    // No good item is known of the new file.
    #expect(first.certain.map(\.path) == ["new.yaml"])
    #expect(first.unconfirmed == ["a.yaml"])
    // A scan of the folder in the meantime is no second look at the file.
    let other = contents.confirm(broken, of: DirtyPaths(subtrees: [.root]), mayWait: true)
    #expect(other.unconfirmed == ["a.yaml"])
    let second = contents.confirm(broken, of: DirtyPaths(files: ["a.yaml"]), mayWait: true)
    #expect(second.certain.map(\.path) == ["a.yaml", "new.yaml"])
    #expect(second.unconfirmed == [])
  }

  @Test func `a file that was good in between is read again once more`() {
    var contents = contents
    _ = contents.confirm(broken, of: DirtyPaths(), mayWait: true)
    _ = contents.confirm([("a.yaml", .unchanged)], of: DirtyPaths(), mayWait: true)
    #expect(
      contents.confirm(broken, of: DirtyPaths(), mayWait: true).unconfirmed == ["a.yaml"])
  }

  @Test func `a finding counts at once if nothing would name the file again`() {
    var contents = contents
    #expect(contents.confirm(broken, of: DirtyPaths(), mayWait: false).unconfirmed == [])
  }

  @Test func `a file that git empties counts at once, and one that a program empties does not`() {
    let empty: Findings = [("a.yaml", .item(FileStamp(size: 0), PackedValue(.map([:]))))]
    var contents = contents
    #expect(
      contents.confirm(empty, of: DirtyPaths(origin: .git), mayWait: true).unconfirmed
        == [])
    #expect(
      contents.confirm(empty, of: DirtyPaths(), mayWait: true).unconfirmed == ["a.yaml"])
  }
}
