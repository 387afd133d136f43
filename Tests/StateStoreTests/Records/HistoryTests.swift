import Store
import Streams
import TestSupport
import Testing

@testable import StateStore

@Suite struct HistoryTests {
  private static func step(_ number: Int64, size: Int = 100) -> History.Step {
    History.Step(
      number: number, position: StreamPosition(seq: Int(number), token: "t\(number)"), digest: RecordDigest(),
      undoSize: size)
  }

  /// Makes all reductions that the limits ask for.
  private static func reduce(_ history: inout History, _ limits: History.Limits) {
    while let reduction = history.reduction(limits) { history.apply(reduction) }
  }

  @Test func `steps before the acknowledged one are dropped`() {
    var history = History()
    for number in 1...20 { history.append(Self.step(Int64(number))) }
    history.acknowledge(Self.step(15))
    Self.reduce(&history, History.Limits(steps: 10, bytes: .max, recent: 3))
    #expect(history.steps.map(\.number) == Array(10...20))
  }

  @Test func `the way back to the acknowledged step stays`() {
    var history = History()
    for number in 1...20 { history.append(Self.step(Int64(number))) }
    history.acknowledge(Self.step(1))
    Self.reduce(&history, History.Limits(steps: 10, bytes: .max, recent: 3))
    #expect(history.steps.map(\.number) == [1] + Array(11...20))
  }

  @Test func `large logs are reduced, but not those of recent steps`() {
    var history = History()
    for number in 1...20 { history.append(Self.step(Int64(number), size: 1_000)) }
    history.acknowledge(Self.step(1))
    Self.reduce(&history, History.Limits(steps: 1_000, bytes: 100, recent: 5))
    #expect(history.steps.map(\.number) == [1] + Array(16...20))
  }

  @Test func `the oldest steps are dropped without an acknowledgement`() {
    var history = History()
    for number in 1...20 { history.append(Self.step(Int64(number))) }
    Self.reduce(&history, History.Limits(steps: 10, bytes: .max, recent: 3))
    #expect(history.steps.map(\.number) == Array(10...20))
  }

  @Test(arguments: Randomness.seeds(100)) func `the size is that of the logs, whatever was reduced`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var history = History()
    let limits = History.Limits(steps: 6, bytes: 2_000, recent: 2)
    for number in 1...60 {
      history.append(Self.step(Int64(number), size: generator.below(800)))
      if generator.oneIn(3) { history.acknowledge(generator.one(of: history.steps)) }
      let newest = history.newest
      Self.reduce(&history, limits)
      #expect(history.newest == newest)
      if let acknowledged = history.acknowledged {
        #expect(history.step(acknowledged) != nil, "\(seedNote(seed))")
      }
      // Read again, it has the same reductions.
      let read = History(history.steps, acknowledged: history.acknowledged)
      #expect(
        read?.reduction(History.Limits(steps: 3, bytes: 1_000, recent: 1))
          == history.reduction(History.Limits(steps: 3, bytes: 1_000, recent: 1)))
    }
  }

  @Test func `a history without its acknowledged step is not valid`() {
    #expect(History([Self.step(1)], acknowledged: 2) == nil)
    #expect(History([Self.step(2), Self.step(1)], acknowledged: nil) == nil)
    #expect(History([Self.step(1), Self.step(2)], acknowledged: 2) != nil)
  }
}
