import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotSharingTests {
  @Test func `copies are edited and compared in many tasks at once`() async throws {
    let shared = try Snapshot(
      (0..<4).map { section in (id: section, items: (0..<500).map { section * 500 + $0 }) })
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(task))
          var mine = shared
          for round in 0..<200 {
            try mine.moveItem(random.below(2_000), toSection: random.below(4), at: random.below(400))
            if round % 20 == 0 { try mine.insertItem(10_000 + round, inSection: 0, at: 0) }
          }
          let diff = mine.difference(from: shared)
          return try mine.checkInvariants() == nil && shared.applying(diff) == mine
        }
      }
      for try await isCorrect in group { #expect(isCorrect) }
    }
    #expect(shared.checkInvariants() == nil)
    #expect(shared.itemIdentifiers == Array(0..<2_000))
  }

  @Test func `a wrong set of touched items never traps`() throws {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      var model = SnapshotModel([Array(0..<8), Array(8..<12), []])
      var snapshot = try model.snapshot()
      let old = snapshot
      var newID = 100
      for _ in 0..<8 { try model.edit(&snapshot, &random, newID: &newID) }
      let touched = Set((0..<110).filter { _ in random.oneIn(3) })
      let diff = snapshot.difference(from: old, touched: touched, updated: touched)
      #expect(touched.isSuperset(of: diff.changes.map(\.item)), "\(seedNote(seed))")
      // It is not the difference of these snapshots, so applying it may throw, but must not trap.
      _ = try? old.applying(diff)
      _ = try? snapshot.applying(diff.inverse)
    }
  }
}
