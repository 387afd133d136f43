import Files
import TestSupport
import Testing

@testable import Watch

/// Settling while a process of git runs, and after it has ended.
@Suite struct GitProcessSettlingTests {
  var bench = SettlerBench()

  /// A merge driver takes long under the lock, and then all files are written at once.
  @Test mutating func `changes of a process after the longest wait belong to git`() {
    bench.marker("rebase-merge", true, at: 0)
    bench.marker("index.lock", true, at: 5)
    bench.rewrite("first", at: 10)
    bench.working = [""]
    #expect(bench.run() == ["5010 git: first"])
    for file in 0..<38 { bench.rewrite("f\(file)", at: 9000 + file * 2) }
    #expect(bench.due(at: 9080).isEmpty)
    bench.marker("index.lock", false, at: 9080)
    bench.marker("REBASE_HEAD", true, at: 9090)
    bench.working = []
    bench.git(.processEnded, at: 9100)
    let last = bench.due(at: 9100)
    #expect(last.count == 1)
    #expect(last.first?.hasPrefix("git: f0 f1 ") == true)
    // The command has stopped for the user.
    bench.rewrite("f0", at: 9110)
    #expect(bench.due(at: 9110) == ["f0"])
    bench.record(.created(isEmpty: true), "new", at: 9120)
    bench.record(.completed(isEmpty: false), "new", at: 9121)
    #expect(bench.due(at: 9121) == ["new"])
    #expect(bench.settler.deadline == nil)
  }

  @Test mutating func `a rebase that runs something between its steps is reported once per longest wait`() {
    bench.working = [""]
    bench.marker("rebase-merge", true, at: 0)
    var times: [Int] = []
    for step in 0..<14 {
      let start = step * 1500
      bench.marker("index.lock", true, at: start)
      bench.rewrite("f\(step)", at: start + 10)
      bench.marker("index.lock", false, at: start + 20)
      let batches = bench.run(until: start + 1499)
      #expect(batches.allSatisfy { $0.text.hasPrefix("git: ") })
      times += batches.map(\.time)
    }
    #expect(times.count == 3)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 5000 })
  }

  /// The last batch contained all its changes.
  @Test mutating func `a rebase that stops without another change holds nothing`() {
    bench.working = [""]
    bench.marker("rebase-merge", true, at: 0)
    bench.marker("index.lock", true, at: 5)
    bench.rewrite("a", at: 10)
    bench.marker("index.lock", false, at: 20)
    #expect(bench.run() == ["5010 git: a"])
    bench.working = []
    bench.git(.processEnded, at: 9000)
    bench.rewrite("b", at: 20_000)
    #expect(bench.due(at: 20_000) == ["b"])
  }

  @Test mutating func `a process that ends with its lock in place leaves a stale lock`() {
    bench.marker("index.lock", true, at: 0)
    bench.rewrite("a", at: 10)
    bench.git(.processEnded, at: 20)
    #expect(bench.due(at: 20) == ["git: a"])
    bench.rewrite("b", at: 30)
    #expect(bench.due(at: 30) == ["b"])
    #expect(bench.settler.deadline == nil)
  }

  @Test mutating func `the end of a process whose command is over changes nothing`() {
    bench.marker("rebase-merge", true, at: 0)
    bench.marker("index.lock", true, at: 5)
    bench.rewrite("a", at: 10)
    bench.marker("index.lock", false, at: 20)
    bench.marker("rebase-merge", false, at: 30)
    bench.git(.processEnded, at: 40)
    #expect(bench.run() == ["180 git: a"])
  }

  /// Steps, locks and pauses of any length, until it stops with markers in place.
  @Test mutating func `a command at work is at most one batch per longest wait, and later saves are due at once`() {
    for seed in Randomness.seeds(150) {
      var random = SeededGenerator(seed: seed)
      bench = SettlerBench()
      bench.working = [""]
      var time = 0, batches: [(time: Int, text: String)] = [], hasLock = false, written: Set<String> = []
      bench.marker("rebase-merge", true, at: 0)
      for _ in 0..<60 {
        time += random.one(of: [1, 5, 60, 200, 900, 1_600, 3_000])
        batches += bench.run(until: time)
        switch random.below(4) {
        case 0 where hasLock:
          bench.marker("index.lock", false, at: time)
          hasLock = false
        case 1 where !hasLock:
          bench.marker("index.lock", true, at: time)
          hasLock = true
        case 2: bench.activity(at: time)
        default:
          let name = "f\(random.below(20))"
          bench.rewrite(name, at: time)
          written.insert(name)
        }
      }
      if hasLock, random.oneIn(2) { bench.marker("index.lock", false, at: time) }
      bench.working = []
      bench.git(.processEnded, at: time)
      let last = bench.due(at: time)
      #expect(batches.allSatisfy { $0.text.hasPrefix("git: ") }, "\(seedNote(seed))")
      #expect(last.allSatisfy { $0.hasPrefix("git: ") }, "\(seedNote(seed))")
      #expect(zip(batches, batches.dropFirst()).allSatisfy { $1.time - $0.time >= 5_000 }, "\(seedNote(seed))")
      let shown = Set((batches.map(\.text) + last).flatMap { $0.dropFirst(5).split(separator: " ").map(String.init) })
      #expect(shown == written, "\(seedNote(seed))")
      bench.rewrite("users", at: time + 1)
      #expect(bench.due(at: time + 1) == ["users"], "\(seedNote(seed))")
    }
  }
}
