import Files
import Query
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder

struct ReadingPlanTests {
  private static func contents(threads: Int) -> StoreContents {
    StoreContents(settings: Settings(), options: ReadOptions(readers: threads))
  }

  private static func plan(_ paths: [RelativePath]) -> StoreContents.Plan {
    StoreContents.Plan(
      requests: paths.map { ReadRequest(path: $0, format: .markdown, isRegular: true, known: nil) })
  }

  @Test(arguments: [0, 1, 2, 7])
  func `findings come in the order of the requests, independent of the threads`(threads: Int) throws {
    let folder = try TemporaryFolder()
    let paths = (0..<500).map { RelativePath(bytes: "\($0).md".utf8) }
    for (number, path) in paths.enumerated() where number % 7 != 0 {
      try folder.write("\(number)", to: path.description)
    }
    let found = ReadingPlanTests.contents(threads: threads).findings(
      of: ReadingPlanTests.plan(paths), root: folder.path)
    #expect(found.map(\.path) == paths)
    for (number, finding) in found.map(\.finding).enumerated() {
      switch finding {
      case .item(_, let fields):
        #expect(fields.value["body"]?.text == "\(number)")
        #expect(number % 7 != 0)
      case .missing: #expect(number % 7 == 0)
      default: Issue.record("\(number): \(finding)")
      }
    }
  }

  @Test func `the plan's own findings come first and need no reading`() throws {
    var plan = ReadingPlanTests.plan([])
    plan.findings = [("a.md", .missing)]
    let reader = ReadingPlanTests.contents(threads: 2)
    #expect(reader.findings(of: plan, root: "/").map(\.path) == ["a.md"])
  }

  @Test func `no path is missing if the root is gone`() throws {
    let folder = try TemporaryFolder(["file": ""])
    let reader = ReadingPlanTests.contents(threads: 2)
    for root in ["\(folder.path)/gone", "\(folder.path)/file"] {
      var plan = ReadingPlanTests.plan(["a.md", "b.md"])
      #expect(reader.findings(of: plan, root: root).map(\.path) == [.root])
      // What was planned while the root was there does not count either.
      plan = ReadingPlanTests.plan([])
      plan.findings = [("a.md", .missing)]
      #expect(reader.findings(of: plan, root: root).map(\.path) == [.root])
    }
  }
}
