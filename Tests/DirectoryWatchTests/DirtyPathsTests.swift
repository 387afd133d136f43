import Testing

@testable import DirectoryWatch

@Suite struct DirtyPathsTests {
  private func paths(_ files: String..., below subtrees: [String] = []) -> DirtyPaths {
    DirtyPaths(files: Set(files.map { RelativePath(bytes: $0.utf8) }), subtrees: Set(subtrees.map { RelativePath(bytes: $0.utf8) }))
  }

  @Test func overlapsWhatIsTheSameOrBelow() {
    let batch = paths("a", "d/b", below: ["e"])
    for other in [paths("a"), paths("e/x"), paths(below: ["d"]), paths(below: ["e"]), paths(below: ["e/f"]), paths(below: [""])] {
      #expect(batch.overlaps(other) && other.overlaps(batch), "\(other)")
    }
    for other in [paths(), paths("b"), paths("ex"), paths(below: ["a/b"]), paths(below: ["f"])] {
      #expect(!batch.overlaps(other) && !other.overlaps(batch), "\(other)")
    }
  }
}
