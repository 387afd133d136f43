import Files
import Testing

@testable import Watch

@Suite struct SettlerTests {
  var bench = SettlerBench()

  @Test mutating func `a file that stays away for its grace period is marked as gone`() {
    bench.record(.vanished(cookie: 0), "a", at: 0)
    bench.record(.completed(isEmpty: false), "b", at: 0)
    #expect(bench.gone(at: 0) == [])
    #expect(bench.gone(at: 100) == ["a"])
    bench.record(.vanished(cookie: 7), "c", at: 200)
    bench.record(.arrived(cookie: 7), "d", at: 200)
    #expect(bench.gone(at: 300) == ["c"])
    bench.record(.vanished(cookie: 0), "e", at: 400)
    bench.record(.completed(isEmpty: false), "e", at: 401)
    #expect(bench.gone(at: 500) == [])
  }

  // MARK: Complete: at once

  @Test mutating func `a file closed after writing is due at once`() {
    bench.record(.written(isEmpty: true), "a", at: 0)
    #expect(bench.due(at: 0).isEmpty)
    bench.record(.written(isEmpty: false), "a", at: 1)
    bench.record(.completed(isEmpty: false), "a", at: 2)
    #expect(bench.due(at: 2) == ["a"])
    #expect(bench.settler.deadline == nil)
  }

  @Test mutating func `a rename into place is due at once`() {
    bench.record(.arrived(cookie: 7), "a", at: 0)
    #expect(bench.due(at: 0) == ["a"])
  }

  @Test mutating func `files that are due together are one batch`() {
    for name in ["a", "b", "c"] { bench.record(.completed(isEmpty: false), name, at: 0) }
    #expect(bench.due(at: 0) == ["a b c"])
  }

  // MARK: Unfinished: a quiet gap

  @Test(arguments: [SourceEvent.Change.created(isEmpty: false), .changed(isEmpty: false)])
  mutating func `a file that may be unfinished waits for a quiet gap`(change: SourceEvent.Change) {
    bench.record(change, "a", at: 0)
    #expect(bench.run() == ["60 a"])
  }

  /// On a busy disk the fsync between writing and closing takes long.
  @Test mutating func `a file that is written and open waits for a longer gap`() {
    bench.record(.written(isEmpty: false), "a", at: 0)
    bench.record(.changed(isEmpty: false), "a", at: 150)
    #expect(bench.due(at: 389).isEmpty)
    bench.record(.completed(isEmpty: false), "a", at: 389)
    #expect(bench.due(at: 389) == ["a"])
    #expect(bench.settler.deadline == nil)
  }

  @Test mutating func `an append in steps is due when it pauses`() {
    for time in stride(from: 0, through: 200, by: 40) {
      bench.record(.written(isEmpty: false), "a", at: time)
    }
    #expect(bench.run() == ["440 a"])
  }

  @Test mutating func `an endless append does not starve`() {
    var batches: [String] = []
    for time in stride(from: 0, through: 10_100, by: 50) {
      bench.record(.written(isEmpty: false), "a", at: time)
      batches += bench.due(at: time)
    }
    #expect(batches == ["a", "a"])
  }

  @Test mutating func `an emptied file has a grace period`() {
    bench.record(.completed(isEmpty: true), "a", at: 0)
    #expect(bench.due(at: 479).isEmpty)
    bench.record(.completed(isEmpty: false), "a", at: 479)
    #expect(bench.due(at: 479) == ["a"])
    bench.record(.completed(isEmpty: true), "a", at: 1000)
    #expect(bench.run() == ["1480 a"])
  }

  // MARK: Vanished: a grace period

  @Test mutating func `a removed file is due after its grace period`() {
    bench.record(.vanished(cookie: 0), "a", at: 0)
    #expect(bench.run() == ["60 a"])
  }

  @Test mutating func `a rename to a backup and a new file are one update`() {
    bench.record(.vanished(cookie: 3), "a", at: 0)
    bench.record(.created(isEmpty: true), "a", at: 5)
    bench.record(.written(isEmpty: false), "a", at: 6)
    #expect(bench.due(at: 59).isEmpty)
    bench.record(.completed(isEmpty: false), "a", at: 59)
    #expect(bench.due(at: 59) == ["a"])
    #expect(bench.settler.deadline == nil)
  }

  @Test mutating func `files removed in a row are due together`() {
    for time in 0..<100 { bench.record(.vanished(cookie: 0), "f\(time)", at: time * 10) }
    let batches = bench.run()
    #expect(batches.count == 1)
    #expect(batches.first?.hasPrefix("1050 f0 ") == true)
  }

  @Test mutating func `an endless removal does not starve`() {
    var first: Int?
    for time in stride(from: 0, through: 6000, by: 50) {
      bench.record(.vanished(cookie: 0), "f\(time)", at: time)
      if !bench.due(at: time).isEmpty, first == nil { first = time }
    }
    #expect(first == 5000)
  }

  @Test mutating func `a file that was created and removed waits for nothing`() {
    bench.record(.created(isEmpty: true), "tmp.yaml", at: 0)
    bench.record(.written(isEmpty: false), "tmp.yaml", at: 0)
    bench.record(.vanished(cookie: 9), "tmp.yaml", at: 1)
    bench.record(.arrived(cookie: 9), "a.yaml", at: 1)
    #expect(bench.due(at: 1) == ["a.yaml tmp.yaml"])
  }

  // MARK: Renames

  @Test mutating func `a rename within the root is one batch`() {
    bench.record(.vanished(cookie: 1), "a", at: 0)
    bench.record(.arrived(cookie: 1), "b", at: 0)
    #expect(bench.run() == ["60 a b"])
  }

  @Test mutating func `the two halves of a rename may arrive apart`() {
    bench.record(.vanished(cookie: 1), "a", at: 0)
    #expect(bench.due(at: 30).isEmpty)
    bench.record(.arrived(cookie: 1), "b", at: 40)
    #expect(bench.run() == ["60 a b"])
  }

  @Test mutating func `a rotation is one batch`() {
    bench.record(.vanished(cookie: 1), "a", at: 0)
    bench.record(.arrived(cookie: 1), "a.1", at: 0)
    bench.record(.created(isEmpty: true), "a", at: 1)
    bench.record(.completed(isEmpty: false), "a", at: 2)
    #expect(bench.due(at: 2) == ["a a.1"])
    #expect(bench.settler.deadline == nil)
  }

  @Test mutating func `a swap is one batch`() {
    bench.record(.vanished(cookie: 1), "a", at: 0)
    bench.record(.arrived(cookie: 1), "tmp", at: 0)
    bench.record(.vanished(cookie: 2), "b", at: 1)
    bench.record(.arrived(cookie: 2), "a", at: 1)
    bench.record(.vanished(cookie: 3), "tmp", at: 2)
    bench.record(.arrived(cookie: 3), "b", at: 2)
    #expect(bench.run().map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == ["a b tmp"])
  }

  @Test mutating func `a renamed folder is one batch`() {
    bench.record(.vanished(cookie: 1), "p/", at: 0)
    bench.record(.arrived(cookie: 1), "q/", at: 0)
    #expect(bench.run() == ["60 p/ q/"])
  }

  @Test mutating func `an editor's save is not delayed by another file`() {
    bench.record(.vanished(cookie: 0), "old", at: 0)
    bench.record(.created(isEmpty: false), "link", at: 10)
    bench.record(.completed(isEmpty: false), "a", at: 20)
    #expect(bench.due(at: 20) == ["a"])
    #expect(bench.run() == ["60 old", "70 link"])
  }

  // MARK: Overflow

  @Test mutating func `an overflow is one rescan after a quiet gap`() {
    bench.overflowed(at: 0)
    bench.record(.completed(isEmpty: false), "a", at: 40)
    #expect(bench.due(at: 40) == ["a"])
    #expect(!bench.needsRescan(at: 99))
    #expect(bench.run() == ["100 /"])
  }

  @Test mutating func `the rescans of endless overflows back off`() {
    var rescans: [Int] = []
    for time in stride(from: 0, through: 60_000, by: 20) {
      bench.overflowed(at: time)
      if bench.needsRescan(at: time) {
        bench.rescanned(at: time)
        rescans.append(time)
      }
      _ = bench.due(at: time)
    }
    #expect(rescans.count <= 12)
    #expect(rescans.last ?? 0 > 54_000)
  }
}
