import Files
import Testing

@testable import Watch

@Suite struct DirtyPathsTests {
  private let path = RelativePath(bytes: "a".utf8)

  @Test func `a union keeps the earliest time, which does not count for equality`() {
    let now = SuspendingClock().now
    var early = DirtyPaths(files: [path]), late = DirtyPaths(files: [path])
    early.recordTime(now)
    late.recordTime(now + .seconds(1))
    #expect(early == late)
    #expect(Set([early, late]).count == 1)
    late.formUnion(early)
    #expect(late.since == now)
    late.formUnion(DirtyPaths())
    #expect(late.since == now)
  }

  private func paths(_ files: String..., below subtrees: [String] = []) -> DirtyPaths {
    DirtyPaths(
      files: Set(files.map { RelativePath(bytes: $0.utf8) }),
      subtrees: Set(subtrees.map { RelativePath(bytes: $0.utf8) }))
  }

  @Test func `batches overlap if they share a path or one lies below the other`() {
    let batch = paths("a", "d/b", below: ["e"])
    for other in [
      paths("a"), paths("e/x"), paths(below: ["d"]), paths(below: ["e"]), paths(below: ["e/f"]),
      paths(below: [""]),
    ] {
      #expect((batch.overlaps(other), other.overlaps(batch)) == (true, true), "\(other)")
    }
    for other in [paths(), paths("b"), paths("ex"), paths(below: ["a/b"]), paths(below: ["f"])] {
      #expect((batch.overlaps(other), other.overlaps(batch)) == (false, false), "\(other)")
    }
  }
}
