import Files
@testable import Store
import Testing
import Watch

@testable import Folder
@testable import Query

struct RetryDelaysTests {
  private func failure(_ path: RelativePath, isTransient: Bool = true) -> (
    path: RelativePath, finding: FileFinding
  ) {
    var problem = Problem(path: path, message: "no")
    problem.isTransient = isTransient
    return (path, .problem(problem))
  }

  private func isFile(_ path: RelativePath) -> Bool { path.description.contains(".") }

  @Test func `a path that keeps failing is retried less and less often`() {
    var delays = RetryDelays()
    var waits: [Duration] = []
    for _ in 0..<12 { waits += delays.update(with: [failure("a.md")], isFile: isFile).keys }
    #expect(waits.first == RetryDelays.first)
    #expect(waits.last == RetryDelays.last)
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 == min($0 * 2, RetryDelays.last) })
  }

  @Test func `a path that was read begins with the first delay again`() {
    var delays = RetryDelays()
    _ = delays.update(with: [failure("a.md")], isFile: isFile)
    #expect(delays.update(with: [("a.md", .missing)], isFile: isFile).isEmpty)
    #expect(
      delays.update(with: [failure("a.md")], isFile: isFile) == [
        RetryDelays.first: DirtyPaths(files: ["a.md"])
      ])
  }

  @Test func `a broken file is not retried`() {
    var delays = RetryDelays()
    #expect(delays.update(with: [failure("a.md", isTransient: false)], isFile: isFile).isEmpty)
  }

  @Test func `folders are retried as folders, and paths of one delay together`() {
    var delays = RetryDelays()
    let again = delays.update(with: [failure("a.md"), failure("d"), failure(.root)], isFile: isFile)
    #expect(again == [RetryDelays.first: DirtyPaths(files: ["a.md"], subtrees: ["d", .root])])
  }
}
