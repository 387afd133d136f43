import Testing

@testable import Terminal

@Suite struct FrameLedgerTests {
  private let start = ContinuousClock.now

  @Test func `a frame is painted when it is written`() {
    var ledger = FrameLedger()
    #expect(ledger.painted == 0)
    #expect(ledger.record(isFenced: false, bytes: 10, at: start) == 1)
    #expect(ledger.painted == 0)
    ledger.recordWritten()
    #expect(ledger.painted == 1)
  }

  @Test func `a frame with a fence is painted when its answer comes`() {
    var ledger = FrameLedger()
    _ = ledger.record(isFenced: false, bytes: 10, at: start)
    _ = ledger.record(isFenced: true, bytes: 10, at: start)
    _ = ledger.record(isFenced: false, bytes: 10, at: start)
    _ = ledger.record(isFenced: true, bytes: 10, at: start)
    ledger.recordWritten()
    #expect(ledger.painted == 1)
    ledger.recordAnswer()
    // The third frame is written, and only the fourth waits.
    #expect(ledger.painted == 3)
    ledger.recordAnswer()
    #expect(ledger.painted == 4)
    ledger.recordAnswer()
    #expect(ledger.painted == 4)
  }

  @Test func `few frames and few bytes wait for answers`() {
    var ledger = FrameLedger()
    for _ in 0..<FrameLedger.maxFences {
      #expect(ledger.hasRoom)
      _ = ledger.record(isFenced: true, bytes: 1, at: start)
    }
    #expect(!ledger.hasRoom)
    ledger.recordAnswer()
    #expect(ledger.hasRoom)
    _ = ledger.record(isFenced: true, bytes: FrameLedger.maxBytes, at: start)
    #expect(!ledger.hasRoom)
  }

  @Test func `a terminal that stops answering is noticed by the input that comes without an answer`() {
    var ledger = FrameLedger()
    _ = ledger.record(isFenced: true, bytes: 1, at: start)
    ledger.recordWritten()
    #expect(ledger.deadline == nil)
    ledger.recordInput(at: start + .seconds(60))
    #expect(ledger.deadline == start + .seconds(60) + FrameLedger.patience)
    ledger.abandon(at: start + .seconds(61))
    #expect(ledger.painted == 0)
    ledger.abandon(at: start + .seconds(66))
    #expect(ledger.painted == 1)
    #expect(!ledger.isTrusted)
  }

  @Test func `a terminal that stops answering does not stop the frames`() {
    var ledger = FrameLedger()
    for _ in 0..<FrameLedger.maxFences { _ = ledger.record(isFenced: true, bytes: 1, at: start) }
    #expect(ledger.deadline == start + FrameLedger.longPatience)
    ledger.abandon(at: start + FrameLedger.longPatience)
    #expect(ledger.hasRoom)
  }
}
