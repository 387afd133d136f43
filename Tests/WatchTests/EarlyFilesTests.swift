import Files
import TestSupport
import Testing

@testable import Watch

@Suite struct EarlyFilesTests {
  private static func file(_ number: Int) -> RelativePath { RelativePath(bytes: "d/\(number).yaml".utf8) }

  private static func files(_ count: Int) -> Set<RelativePath> { Set((0..<count).map(file)) }

  private static func complete(_ count: Int) -> EarlyFiles {
    var early = EarlyFiles()
    for file in files(count) { early.complete(file) }
    return early
  }

  @Test func `files are reported once, and not if they are few`() {
    var early = Self.complete(EarlyFiles.groupSize - 1)
    #expect(early.report().isEmpty)
    early.complete("last.yaml")
    #expect(early.report() == Self.files(EarlyFiles.groupSize - 1).union(["last.yaml"]))
    #expect(early.report().isEmpty)
  }

  @Test func `a file that was not reported is not early`() {
    var early = Self.complete(3)
    #expect(early.end(Self.files(3)).isEmpty)
  }

  @Test func `a change of a folder makes every file late`() {
    var early = Self.complete(20)
    _ = early.report()
    early.change(.subtree("d"))
    #expect(early.end(Self.files(20)).isEmpty)
  }

  /// The rule itself: the last report of a file is later than its last change.
  @Test func `a file is early exactly if it has not changed since its report`() {
    for seed in Randomness.seeds(200) {
      var random = SeededGenerator(seed: seed)
      var early = EarlyFiles()
      var (changes, reports, last) = ([:] as [RelativePath: Int], [:] as [RelativePath: Int], -1)
      for time in 0..<400 {
        let file = Self.file(random.below(30))
        switch random.below(12) {
        case 0:
          early.change(.subtree("d"))
          last = time
        case 1, 2: for file in early.report() { reports[file] = time }
        case 3:
          let batch = Self.files(30).filter { _ in random.oneIn(2) }
          let expected = batch.filter { (reports[$0] ?? -1) > max(changes[$0] ?? -1, last) }
          #expect(early.end(batch) == expected, "\(seedNote(seed))")
          for file in batch { reports[file] = nil }
        default:
          early.change(.entry(file))
          changes[file] = time
          if random.oneIn(2) { early.complete(file) }
        }
      }
    }
  }

  // MARK: In the settler

  @Test func `a checkout reports complete files before it is over`() {
    var bench = SettlerBench()
    bench.marker("index.lock", true, at: 0)
    for number in 10..<22 { bench.rewrite("f\(number)", at: 5) }
    bench.record(.vanished(cookie: 0), "gone", at: 6)
    #expect(bench.reportEarly() == (10..<22).map { "f\($0)" })
    // It is written again, so what was read of it may be old.
    bench.record(.written(isEmpty: false), "f13", at: 8)
    bench.record(.completed(isEmpty: false), "f13", at: 9)
    bench.record(.created(isEmpty: false), "f14", at: 9)
    bench.marker("index.lock", false, at: 10)
    #expect(bench.early(at: 300) == (10..<22).filter { $0 != 13 && $0 != 14 }.map { "f\($0)" })
  }

  @Test func `saves without git and lost events report nothing early`() {
    var bench = SettlerBench()
    for number in 0..<20 { bench.rewrite("f\(number)", at: 5) }
    #expect(bench.reportEarly().isEmpty)
    bench.marker("index.lock", true, at: 10)
    for number in 0..<20 { bench.rewrite("f\(number)", at: 15) }
    bench.overflowed(at: 16)
    #expect(bench.reportEarly().isEmpty)
  }

  @Test func `a merged batch has no early file that its later part changed`() {
    var batch = DirtyPaths(files: ["a", "b", "c"], origin: .git)
    batch.early = ["a", "b"]
    var later = DirtyPaths(files: ["b", "d", "e"], origin: .git)
    later.early = ["d"]
    batch.formUnion(later)
    #expect(batch.early == ["a", "d"])
  }
}
