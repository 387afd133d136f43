import Store
import Streams
import TestSupport
import Testing

@testable import StateStore

/// Random lives of a consumer: each list that a state serves is exactly the one that was offered
/// with its token.
@Suite(.timeLimit(.minutes(5)))
struct ConsumerStateModelTests {
  /// The lists that were offered, and the one that was acknowledged.
  private struct Model {
    /// The tokens in the order in which they were offered, each with its list.
    var offered: [(token: String, list: ListSnapshot<Item>)] = []
    /// The index of the acknowledged list.
    var acknowledged = 0

    func index(_ token: String) -> Int? { offered.firstIndex { $0.token == token } }
  }

  @Test(arguments: Randomness.seeds(40)) func `a state serves each token's own list`(seed: UInt64) throws {
    try live(seed: seed, limits: History.Limits(), isBounded: false)
  }

  @Test(arguments: Randomness.seeds(40)) func `a short log loses only old tokens`(seed: UInt64) throws {
    try live(seed: seed, limits: History.Limits(steps: 6, bytes: 20_000, recent: 3), isBounded: true)
  }

  private func live(seed: UInt64, limits: History.Limits, isBounded: Bool) throws {
    let fixture = try StateFixture()
    var random = RandomList(seed: seed, count: 20, hasSections: seed % 3 != 0)
    var model = Model()
    model.offered.append(("t0", try random.list))
    var state: ConsumerState? = try fixture.begin(model.offered[0].list, "t0")
    var served = 0
    for step in 1...60 {
      switch random.generator.below(10) {
      case 0...5:
        // A script offers from what was acknowledged, a stream from what it wrote last.
        let base = model.offered[random.generator.oneIn(2) ? model.acknowledged : model.offered.count - 1]
          .list
        random.change(most: random.generator.oneIn(8) ? 60 : 4)
        let list = try random.list
        state?.offer(from: base, to: list, "t\(step)", seq: step)
        model.offered.append(("t\(step)", list))
      case 6...7:
        let index = model.acknowledged + random.generator.below(model.offered.count - model.acknowledged)
        let isKnown = state?.acknowledge(model.offered[index].token) == true
        #expect(isKnown || isBounded, "\(seedNote(seed))")
        if isKnown { model.acknowledged = index }
      default:
        state?.close()
        let token = random.generator.oneIn(2) ? nil : random.generator.one(of: model.offered).token
        var opening = try fixture.open(since: token, limits: limits)
        if let index = token.flatMap(model.index), opening.gone == .unknownToken {
          // Steps before the acknowledged one may go at any time, later ones only if they are not recent.
          let isOld = index < model.acknowledged || index < model.offered.count - limits.recent
          let note =
            "\(index) of \(model.offered.count), acknowledged \(model.acknowledged), \(seedNote(seed))"
          #expect(isBounded, "\(note)")
          #expect(isOld, "\(note)")
          #expect(index != model.acknowledged, "\(note)")
          opening.state?.close()
          opening = try fixture.open(limits: limits)
        } else if let index = token.flatMap(model.index) {
          model.acknowledged = index
        }
        let resumed = try #require(opening.resumed, "\(opening) \(seedNote(seed))")
        let expected = model.offered[model.acknowledged]
        #expect(resumed.position.token == expected.token, "\(seedNote(seed))")
        #expect(Shown(resumed.list) == Shown(expected.list), "\(seedNote(seed))")
        state = opening.state
        served += 1
      }
    }
    state?.close()
    #expect(served > 0, "\(seedNote(seed))")
    #expect(fixture.reported == [], "\(seedNote(seed))")
  }
}
