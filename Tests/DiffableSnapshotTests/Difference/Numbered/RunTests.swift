import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct RunTests {
  @Test func `the heaviest runs in increasing order stay`() {
    for seed in Randomness.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      let order = Array(0..<random.below(9)).shuffled(using: &random)
      let runs = order.enumerated().map {
        Run(
          old: $0.offset * 10, new: $0.element * 10, count: 1 + random.below(3), weight: 1 + random.below(3))
      }
      let kept = zip(runs, runs.staying()).filter(\.1).map(\.0)
      #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.new < $1.new }, "\(seedNote(seed))")
      let weight = kept.reduce(0) { $0 + $1.count * $1.weight }
      let heaviest = heaviestIncreasing(runs.map(\.new)) { new in
        runs.first { $0.new == new }.map { $0.count * $0.weight } ?? 0
      }
      #expect(weight == heaviest, "\(seedNote(seed))")
    }
  }

  @Test func `contiguous elements are one run`() {
    var runs: [Run] = []
    runs.extend(old: 0, new: 4)
    runs.extend(old: 1, new: 5, count: 2)
    runs.extend(old: 3, new: 9)
    #expect(runs.map(\.count) == [3, 1])
  }
}
