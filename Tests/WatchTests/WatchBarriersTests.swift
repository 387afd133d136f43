import Files
import Testing

@testable import Watch

struct WatchBarriersTests {
  private let start = SuspendingClock.now
  private var barriers = WatchBarriers(limit: .seconds(1))

  private func moment(_ time: Int) -> SuspendingClock.Instant { start + .milliseconds(time) }

  @Test mutating func `a barrier is passed when its events were read and have settled`() {
    barriers.add(Latch(), at: 100, now: moment(0))
    #expect(barriers.needsRead)
    barriers.recordRead(to: 99, at: moment(10))
    #expect(barriers.needsRead)
    #expect(barriers.removePassed(at: moment(10)) { _ in false }.isEmpty)
    barriers.recordRead(to: 100, at: moment(20))
    #expect(!barriers.needsRead)
    let changed = moment(20)
    #expect(barriers.removePassed(at: moment(30)) { changed <= $0 }.isEmpty)
    let later = moment(21)
    #expect(barriers.removePassed(at: moment(30)) { later <= $0 }.count == 1)
    #expect(barriers.deadline == nil)
  }

  @Test mutating func `a source that has nothing left to read passes every barrier`() {
    for position in [1, 5, Int.max] { barriers.add(Latch(), at: position, now: moment(0)) }
    barriers.recordRead(to: nil, at: moment(1))
    #expect(barriers.removePassed(at: moment(1)) { _ in false }.count == 3)
  }

  @Test mutating func `a barrier has a limit`() {
    barriers.add(Latch(), at: 100, now: moment(0))
    barriers.add(Latch(), at: 100, now: moment(500))
    #expect(barriers.deadline == moment(1_000))
    #expect(barriers.removePassed(at: moment(999)) { _ in true }.isEmpty)
    #expect(barriers.removePassed(at: moment(1_000)) { _ in true }.count == 1)
    #expect(barriers.deadline == moment(1_500))
    #expect(barriers.removeAll().count == 1)
    #expect(!barriers.needsRead)
  }
}
