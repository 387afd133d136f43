import DirectoryWatch
import Testing

@testable import PlainStore

struct RetryDelaysTests {
  private func failure(_ path: RelativePath, isTransient: Bool = true) -> (path: RelativePath, finding: FileFinding) {
    var problem = Problem(path: path, message: "no")
    problem.isTransient = isTransient
    return (path, .problem(problem))
  }

  private func isFile(_ path: RelativePath) -> Bool { path.description.contains(".") }

  @Test func `What fails again and again is asked for ever more seldom`() {
    var delays = RetryDelays()
    var waits: [Duration] = []
    for _ in 0..<12 { waits += delays.take([failure("a.md")], isFile: isFile).keys }
    #expect(waits.first == RetryDelays.first && waits.last == RetryDelays.last)
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $1 == min($0 * 2, RetryDelays.last) })
  }

  @Test func `What was found at last begins anew`() {
    var delays = RetryDelays()
    _ = delays.take([failure("a.md")], isFile: isFile)
    #expect(delays.take([("a.md", .missing)], isFile: isFile).isEmpty)
    #expect(delays.take([failure("a.md")], isFile: isFile) == [RetryDelays.first: DirtyPaths(files: ["a.md"])])
  }

  @Test func `A broken file is not asked again`() {
    var delays = RetryDelays()
    #expect(delays.take([failure("a.md", isTransient: false)], isFile: isFile).isEmpty)
  }

  @Test func `Folders are asked for as folders, and all of one delay together`() {
    var delays = RetryDelays()
    let again = delays.take([failure("a.md"), failure("d"), failure(.root)], isFile: isFile)
    #expect(again == [RetryDelays.first: DirtyPaths(files: ["a.md"], subtrees: ["d", .root])])
  }
}
