import SampleLists
import Store
import Testing
import Values
import Watch

@testable import Printing

struct UpdateMeterTests {
  private let now = SuspendingClock().now

  private func update(since: SuspendingClock.Instant?) throws -> ListEvent {
    let (old, new) = (try SampleList([]).snapshot, try SampleList([.sample("a", [:])]).snapshot)
    return .step(
      update: ListUpdate<Item>(from: old, to: new, touched: nil, origin: .files, since: since), problems: [])
  }

  @Test func `updates are counted, and timed if file events caused them`() throws {
    let meter = UpdateMeter()
    let counters = StoreCounters()
    meter.record(.snapshot(try SampleList([]).snapshot), at: now)
    meter.record(.step(update: nil, problems: []), at: now)
    #expect(meter.line(counters).contains(#""updates":0,"hits":0,"misses":0,"latency":null"#))
    meter.record(try update(since: now - .microseconds(1_500)), at: now)
    #expect(meter.line(counters).contains(#""updates":1,"hits":0,"misses":0,"latency":1.5"#))
    // No file event caused a change of the view.
    meter.record(try update(since: nil), at: now)
    #expect(meter.line(counters).contains(#""updates":2,"hits":0,"misses":0,"latency":1.5"#))
  }

  @Test func `the line has every counter once`() {
    var counters = StoreCounters()
    var watch = WatchCounters()
    (counters.items, counters.problems, counters.audits, counters.missedChanges) = (1, 2, 6, 7)
    (counters.cacheHits, counters.cacheMisses) = (8, 9)
    (watch.watches, watch.overflows, watch.rescans, watch.isPolling) = (3, 4, 5, true)
    counters.watch = watch
    #expect(
      UpdateMeter().line(counters)
        == #"{"items":1,"problems":2,"watches":3,"overflows":4,"rescans":5,"audits":6,"finds":7,"updates":0,"hits":8,"misses":9,"#
        + #""latency":null,"polling":true}"#
    )
  }
}
