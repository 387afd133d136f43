import Files
@testable import Store
import Testing
import Values
import Watch

@testable import Folder
@testable import Query

struct UnconfirmedFindingsTests {
  private typealias Findings = UnconfirmedFindings.Findings

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
    var unconfirmed = UnconfirmedFindings()
    let first = unconfirmed.split(broken, of: DirtyPaths(), knowing: contents, mayWait: true)
    // No good item is known of the new file.
    #expect(first.certain.map(\.path) == ["new.yaml"])
    #expect(first.unconfirmed == ["a.yaml"])
    let second = unconfirmed.split(broken, of: DirtyPaths(), knowing: contents, mayWait: true)
    #expect(second.certain.map(\.path) == ["a.yaml", "new.yaml"])
    #expect(second.unconfirmed == [])
  }

  @Test func `a file that was good in between is read again once more`() {
    var unconfirmed = UnconfirmedFindings()
    _ = unconfirmed.split(broken, of: DirtyPaths(), knowing: contents, mayWait: true)
    _ = unconfirmed.split([("a.yaml", .unchanged)], of: DirtyPaths(), knowing: contents, mayWait: true)
    #expect(
      unconfirmed.split(broken, of: DirtyPaths(), knowing: contents, mayWait: true).unconfirmed == ["a.yaml"])
  }

  @Test func `a finding counts at once if nothing would name the file again`() {
    var unconfirmed = UnconfirmedFindings()
    #expect(unconfirmed.split(broken, of: DirtyPaths(), knowing: contents, mayWait: false).unconfirmed == [])
  }

  @Test func `a file that git empties counts at once, and one that a program empties does not`() {
    let empty: Findings = [("a.yaml", .item(FileStamp(size: 0), PackedValue(.map([:]))))]
    var unconfirmed = UnconfirmedFindings()
    #expect(
      unconfirmed.split(empty, of: DirtyPaths(origin: .git), knowing: contents, mayWait: true).unconfirmed
        == [])
    #expect(
      unconfirmed.split(empty, of: DirtyPaths(), knowing: contents, mayWait: true).unconfirmed == ["a.yaml"])
  }
}
