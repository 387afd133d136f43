import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotDiffLoweringTests {
  private func twoLists(_ random: inout SeededGenerator) throws -> (Snapshot<Int, Int>, Snapshot<Int, Int>) {
    func list() throws -> Snapshot<Int, Int> {
      var model = SnapshotModel()
      for id in (0..<5).shuffled(using: &random).prefix(1 + random.below(5)) {
        model.sections.append(.init(id: id, items: []))
      }
      for item in (0..<12).shuffled(using: &random).prefix(random.below(13)) {
        model.sections[random.below(model.sections.count)].items.append(item)
      }
      return try model.snapshot()
    }
    return (try list(), try list())
  }

  @Test func `list views get no moves from deleted or into inserted sections`() throws {
    for seed in Randomness.seeds(500) {
      var random = SeededGenerator(seed: seed)
      let (old, new) = try twoLists(&random)
      let diff = new.difference(from: old).loweredForListViews()
      #expect(try old.applying(diff) == new, "\(seedNote(seed))")
      for case .move(_, let from, let to, _) in diff.changes {
        #expect(new.containsSection(from.section), "\(seedNote(seed))")
        #expect(old.containsSection(to.section), "\(seedNote(seed))")
      }
    }
  }

  @Test func `deletes and inserts alone give the same list`() throws {
    for seed in Randomness.seeds(500) {
      var random = SeededGenerator(seed: seed)
      let (old, new) = try twoLists(&random)
      let updated = Set((0..<12).filter { _ in random.oneIn(4) })
      let diff = new.difference(from: old, updated: updated, updatedSections: [random.below(5)])
      let lowered = diff.loweredToDeletesAndInserts(from: old, to: new)
      #expect(lowered.changes.filter { ($0.from == nil) == ($0.to == nil) } == [], "\(seedNote(seed))")
      #expect(lowered.sections.filter { ($0.from == nil) == ($0.to == nil) } == [], "\(seedNote(seed))")
      #expect(try old.applying(lowered) == new, "\(seedNote(seed))")
    }
  }

  @Test func `a difference that needs no lowering does not change`() throws {
    let old = try people()
    var new = old
    try new.moveItem("ada", afterItem: "dan")
    let diff = new.difference(from: old)
    #expect(diff.loweredForListViews() == diff)
  }
}
