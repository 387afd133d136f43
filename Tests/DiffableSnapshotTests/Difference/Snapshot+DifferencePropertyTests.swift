import TestSupport
import Testing

@testable import DiffableSnapshot

/// The promises of differences, checked on random lists.
@Suite struct SnapshotDifferencePropertyTests {
  typealias Diff = SnapshotDiff<Int, Int>

  /// Makes a random list and applies random edits to it.
  private func edited(
    _ random: inout SeededGenerator, sections: Int, items: Int, edits: Int, newID: inout Int
  ) throws -> (old: (SnapshotModel, Snapshot<Int, Int>), new: (SnapshotModel, Snapshot<Int, Int>)) {
    var lists = [[Int]](repeating: [], count: sections)
    for item in 0..<items { lists[random.below(sections)].append(item) }
    newID = items + sections
    var model = SnapshotModel(lists.map { $0.shuffled(using: &random) })
    if random.oneIn(3) { model.hidden = Set(model.items.filter { _ in random.oneIn(3) }) }
    var snapshot = try model.snapshot()
    let old = (model, snapshot)
    for _ in 0..<edits {
      try model.edit(&snapshot, &random, newID: &newID)
      if let problem = snapshot.checkInvariants() { throw Broken(problem) }
    }
    return (old, (model, snapshot))
  }

  struct Broken: Error {
    let problem: String
    init(_ problem: String) { self.problem = problem }
  }

  private func shown(_ snapshot: Snapshot<Int, Int>) -> [SnapshotModel.Section] {
    snapshot.sectionIdentifiers.map {
      SnapshotModel.Section(id: $0, items: snapshot.itemIdentifiers(inSection: $0))
    }
  }

  private func minimalMoves(_ old: [SnapshotModel.Section], _ new: [SnapshotModel.Section]) -> (
    sections: Int, items: Int
  ) {
    let newRank = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($0.element.id, $0.offset) })
    let kept = old.compactMap { newRank[$0.id] }
    var stay = 0
    let newItems = Set(new.flatMap(\.items))
    for section in old {
      guard let rank = newRank[section.id] else { continue }
      let place = Dictionary(
        uniqueKeysWithValues: new[rank].items.enumerated().map { ($0.element, $0.offset) })
      stay += heaviestIncreasing(section.items.compactMap { place[$0] })
    }
    let survivors = old.flatMap(\.items).count { newItems.contains($0) }
    return (kept.count - heaviestIncreasing(kept), survivors - stay)
  }

  private func moves(_ diff: Diff) -> (sections: Int, items: Int) {
    (
      diff.sections.count { if case .move = $0 { true } else { false } },
      diff.changes.count { if case .move = $0 { true } else { false } }
    )
  }

  private func checkPair(
    _ old: (SnapshotModel, Snapshot<Int, Int>), _ new: (SnapshotModel, Snapshot<Int, Int>)
  ) throws -> String? {
    if shown(new.1) != new.0.shown { return "the snapshot shows \(shown(new.1)), not \(new.0.shown)" }
    let fold = Fold(old: old.0.shown, new: new.0.shown)
    let diff = new.1.difference(from: old.1)
    if let problem = fold.problem(diff) { return problem }
    let least = minimalMoves(fold.old, fold.new)
    if moves(diff) != least { return "\(moves(diff)) moves instead of \(least)" }
    if try old.1.applying(diff) != new.1 { return "applying the difference gives a wrong list" }
    if let problem = Fold(old: fold.new, new: fold.old).problem(diff.inverse) { return "inverse: \(problem)" }
    if diff.inverse.inverse != diff { return "inverting twice gives a different difference" }
    if diff.isEmpty != (old.1 == new.1) { return "equality and the difference disagree" }

    let rebuilt = try new.0.snapshot()
    if rebuilt != new.1 { return "the list built at once differs" }
    let unrelated = rebuilt.difference(from: old.1)
    if let problem = fold.problem(unrelated) { return "unrelated: \(problem)" }
    if moves(unrelated) != least { return "unrelated: \(moves(unrelated)) moves instead of \(least)" }
    return nil
  }

  @Test func `small lists replay, invert and have the fewest moves`() throws {
    for seed in Randomness.seeds(1_000) {
      var random = SeededGenerator(seed: seed)
      var newID = 0
      let (old, new) = try edited(
        &random, sections: 1 + random.below(5), items: random.below(12), edits: random.below(8), newID: &newID
      )
      if let problem = try checkPair(old, new) {
        Issue.record("\(problem); \(seedNote(seed))")
        return
      }
    }
  }

  @Test func `long lists keep all promises while their nodes split and join`() throws {
    for seed in Randomness.seeds(10) {
      var random = SeededGenerator(seed: seed)
      var newID = 0
      let sections = random.oneIn(3) ? 150 : 1 + random.below(3)
      let (old, new) = try edited(
        &random, sections: sections, items: random.below(900), edits: random.below(200), newID: &newID)
      if let problem = try checkPair(old, new) {
        Issue.record("\(problem); \(seedNote(seed))")
        return
      }
    }
  }

  @Test func `unrelated lists have the fewest moves`() throws {
    for seed in Randomness.seeds(500) {
      var random = SeededGenerator(seed: seed)
      let pool = Array(0..<(1 + random.below(14)))
      func lists() -> SnapshotModel {
        var model = SnapshotModel()
        let items = pool.shuffled(using: &random).prefix(random.below(pool.count + 1))
        for id in (0..<4).shuffled(using: &random).prefix(1 + random.below(4)) {
          model.sections.append(.init(id: id, items: []))
        }
        for item in items { model.sections[random.below(model.sections.count)].items.append(item) }
        return model
      }
      let old = lists()
      let new = lists()
      if let problem = try checkPair((old, old.snapshot()), (new, new.snapshot())) {
        Issue.record("\(problem); \(seedNote(seed))")
        return
      }
    }
  }

  /// An identifier that shares its hash with others.
  private struct Colliding: Hashable, Sendable {
    let id: Int

    func hash(into hasher: inout Hasher) { hasher.combine(id / 3) }
  }

  @Test func `long unrelated lists have the fewest changes`() throws {
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      let count = 1 + random.below(2_500)
      let old = Array(0..<count)
      var new = old
      for _ in 0..<1 + random.below(3) {
        switch random.below(6) {
        case 0: new.shuffle(using: &random)
        case 1: new.reverse()
        case 2: new = new.filter { _ in random.oneIn(2) }
        case 3: new = new.filter { _ in random.oneIn(30) }
        case 4: new = Array(Set(new + (count..<count + random.below(200))))
        default:
          let cut = random.below(new.count + 1)
          new = Array(new[cut...]) + Array(new[..<cut])
        }
      }
      let parts = 1 + random.below(random.oneIn(3) ? 40 : 2)
      let (before, after) = (divided(old, parts), divided(new, parts))
      let colliding = try problem(before, after) { Colliding(id: $0) }
      if let problem = try colliding ?? problem(before, after, { $0 }) {
        Issue.record("\(problem); \(seedNote(seed))")
        return
      }
    }
  }

  private func divided(_ items: [Int], _ parts: Int) -> [[Int]] {
    (0..<parts).map { Array(items[items.count * $0 / parts..<items.count * ($0 + 1) / parts]) }
  }

  /// Compares the difference between two lists with one that dictionaries find.
  private func problem<ID: Hashable & Sendable>(_ before: [[Int]], _ after: [[Int]], _ id: (Int) -> ID) throws
    -> String?
  {
    let old = try Snapshot(before.enumerated().map { (id: $0.offset, items: $0.element.map(id)) })
    let new = try Snapshot(after.enumerated().map { (id: $0.offset, items: $0.element.map(id)) })
    let diff = new.difference(from: old)
    if try old.applying(diff) != new { return "applying the difference gives a wrong list" }
    let (gone, come) = (Set(before.joined()), Set(after.joined()))
    if diff.changes.count(where: { $0.to == nil }) != gone.subtracting(come).count { return "wrong deletes" }
    if diff.changes.count(where: { $0.from == nil }) != come.subtracting(gone).count {
      return "wrong inserts"
    }
    var staying = 0
    for (one, other) in zip(before, after) {
      let places = Dictionary(uniqueKeysWithValues: other.enumerated().map { ($0.element, $0.offset) })
      staying += longestIncreasing(one.compactMap { places[$0] })
    }
    let moves = diff.changes.count { if case .move = $0 { true } else { false } }
    let least = gone.intersection(come).count - staying
    return moves == least ? nil : "\(moves) moves instead of \(least)"
  }

  /// Returns the length of a longest increasing subsequence, by patience sorting.
  private func longestIncreasing(_ values: [Int]) -> Int {
    var piles: [Int] = []
    for value in values {
      var low = 0
      var high = piles.count
      while low < high {
        let middle = (low + high) / 2
        if piles[middle] < value { low = middle + 1 } else { high = middle }
      }
      if low == piles.count { piles.append(value) } else { piles[low] = value }
    }
    return piles.count
  }

  @Test func `only touched items are listed, with the fewest moves`() throws {
    for seed in Randomness.seeds(1_500) {
      var random = SeededGenerator(seed: seed)
      if let problem = try touchedRound(&random) {
        Issue.record("\(problem); \(seedNote(seed))")
        return
      }
    }
  }

  private func touchedRound(_ random: inout SeededGenerator) throws -> String? {
    let count = random.oneIn(20) ? 200 : random.below(14)
    var lists = [[Int]](repeating: [], count: 1 + random.below(4))
    for item in 0..<count { lists[random.below(lists.count)].append(item) }
    var model = SnapshotModel(lists)
    model.sections.removeAll { $0.items.isEmpty }
    var snapshot = try model.snapshot()
    let old = (model, snapshot)
    var touched: Set<Int> = []
    var updated: Set<Int> = []
    for _ in 0..<random.below(6) {
      let item = random.below(count + 5)
      touched.insert(item)
      if random.oneIn(2) { updated.insert(item) }
      if model.place(of: item) != nil {
        model.remove(item)
        try snapshot.deleteItems([item])
      }
      if random.oneIn(4) { continue }
      let id = random.below(5)
      if !model.sections.contains(where: { $0.id == id }) {
        let place = model.sections.firstIndex { $0.id > id } ?? model.sections.count
        model.sections.insert(.init(id: id, items: []), at: place)
        try snapshot.insertSection(id, at: place)
      }
      guard let section = model.sections.firstIndex(where: { $0.id == id }) else { continue }
      let index = random.below(model.sections[section].items.count + 1)
      model.sections[section].items.insert(item, at: index)
      try snapshot.insertItem(item, inSection: id, at: index)
    }
    try snapshot.deleteSections(model.sections.filter(\.items.isEmpty).map(\.id))
    model.sections.removeAll(where: \.items.isEmpty)

    let diff = snapshot.difference(from: old.1, touched: touched, updated: updated)
    let fold = Fold(old: old.0.shown, new: model.shown)
    if let problem = snapshot.checkInvariants() ?? fold.problem(diff) { return problem }
    if !touched.isSuperset(of: diff.changes.map(\.item)) { return "an untouched item is listed" }
    if try old.1.applying(diff) != snapshot { return "applying the difference gives a wrong list" }
    if stayingTouched(fold, touched) != moves(diff).items {
      return "\(moves(diff).items) moves instead of \(stayingTouched(fold, touched))"
    }
    let expected = updated.filter { old.0.place(of: $0) != nil && model.place(of: $0) != nil }
    let listed = diff.changes.compactMap { change -> Int? in
      switch change {
      case .update(let id, _, _), .move(let id, _, _, true): id
      case .delete, .insert, .move: nil
      }
    }
    if Set(listed) != expected { return "\(listed) are listed as updated, not \(expected)" }
    let scratch = try model.snapshot().difference(from: old.0.snapshot(), touched: touched, updated: updated)
    return scratch == diff ? nil : "without shared structure the difference differs"
  }

  /// Returns the number of touched items that must move if no untouched item may.
  private func stayingTouched(_ fold: Fold, _ touched: Set<Int>) -> Int {
    let heavy = 1_000
    var moves = 0
    let newItems = Set(fold.new.flatMap(\.items))
    for section in fold.old {
      let target = fold.new.first { $0.id == section.id }?.items ?? []
      let place = Dictionary(uniqueKeysWithValues: target.enumerated().map { ($0.element, $0.offset) })
      let kept = section.items.compactMap { place[$0] }
      let stay = heaviestIncreasing(kept) { touched.contains(target[$0]) ? 1 : heavy } % heavy
      moves += section.items.count { touched.contains($0) && newItems.contains($0) } - stay
    }
    return moves
  }
}
