import Synchronization
import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotWindowTests {
  typealias Window = SnapshotWindow<Int, Int>

  /// Returns a slice of the list by section. Sections without items in it are left out unless they
  /// are pinned.
  private func slice(_ model: SnapshotModel, _ range: Range<Int>) -> [SnapshotModel.Section] {
    var number = 0
    let pinned = Set(model.sections.filter(\.isPinned).map(\.id))
    return model.shown.compactMap { section in
      let items = section.items.filter { _ in
        defer { number += 1 }
        return range.contains(number)
      }
      return items.isEmpty && !pinned.contains(section.id)
        ? nil : SnapshotModel.Section(id: section.id, items: items)
    }
  }

  private func shown(_ list: Snapshot<Int, Int>) -> [SnapshotModel.Section] {
    list.sectionIdentifiers.map { SnapshotModel.Section(id: $0, items: list.itemIdentifiers(inSection: $0)) }
  }

  private func range(_ random: inout SeededGenerator) -> Range<Int> {
    let start = random.oneIn(2) ? 0 : random.below(20)
    return start..<(random.oneIn(6) ? .max : start + random.below(16))
  }

  @Test func `the window equals the slice of the complete list`() throws {
    for seed in Randomness.seeds(1_000) {
      var random = SeededGenerator(seed: seed)
      if let problem = try round(&random) {
        Issue.record("\(problem); \(seedNote(seed))")
        return
      }
    }
  }

  private func round(_ random: inout SeededGenerator) throws -> String? {
    var model = SnapshotModel([[Int]](repeating: [], count: 6))
    for item in 0..<random.below(24) { model.sections[random.below(6)].items.append(item) }
    model.sections = model.sections.filter { !$0.items.isEmpty }
    for place in model.sections.indices.prefix(random.below(3)) { model.sections[place].isPinned = true }
    var all = try model.snapshot()
    var range = range(&random)
    var window = Window(range, of: all)
    for _ in 0..<8 {
      let old = window.list
      let changed = try edit(&model, &all, &random)
      if random.oneIn(4) { range = self.range(&random) }
      let touched = window.follow(all, changed: changed, range: range)
      let expected = slice(model, range)
      if let problem = window.list.checkInvariants() { return problem }
      if shown(window.list) != expected {
        return "\(range) shows \(shown(window.list)), not \(expected)"
      }
      if shown(Window(range, of: all).list) != shown(window.list) { return "a new window differs" }
      let diff = window.list.difference(from: old, touched: touched)
      if try old.applying(diff) != window.list { return "the returned touched items are incomplete" }
    }
    return nil
  }

  /// Inserts, deletes, moves, hides or shows some items, and returns them.
  private func edit(
    _ model: inout SnapshotModel, _ all: inout Snapshot<Int, Int>, _ random: inout SeededGenerator
  ) throws -> Set<Int> {
    var changed: Set<Int> = []
    for _ in 0..<random.below(5) {
      let item = random.below(30)
      changed.insert(item)
      if model.place(of: item) != nil, random.oneIn(3) {
        let isHidden = model.hidden.remove(item) == nil
        if isHidden { model.hidden.insert(item) }
        try all.setHidden(isHidden, [item])
        continue
      }
      if let place = model.place(of: item) {
        model.remove(item)
        try all.deleteItems([item])
        let section = model.sections[place.section]
        if section.items.isEmpty, !section.isPinned {
          model.sections.remove(at: place.section)
          try all.deleteSections([section.id])
        }
      }
      model.hidden.remove(item)
      if random.oneIn(3) { continue }
      let id = random.below(6)
      let place = model.sections.firstIndex { $0.id >= id } ?? model.sections.count
      if !model.sections.contains(where: { $0.id == id }) {
        model.sections.insert(.init(id: id, items: []), at: place)
        try all.insertSection(id, atIndexAmongAll: place)
      }
      let index = random.below(model.sections[place].items.count + 1)
      model.sections[place].items.insert(item, at: index)
      try all.insertItem(item, inSection: id, atIndexAmongAll: index)
    }
    return changed
  }

  /// An identifier that counts how often it is compared or hashed.
  private struct Counted: Hashable, Sendable {
    let id: Int
    let uses: Uses

    final class Uses: Sendable {
      let count = Atomic(0)
    }

    static func == (a: Counted, b: Counted) -> Bool {
      a.uses.count.wrappingAdd(1, ordering: .relaxed)
      return a.id == b.id
    }

    func hash(into hasher: inout Hasher) {
      uses.count.wrappingAdd(1, ordering: .relaxed)
      hasher.combine(id)
    }
  }

  @Test func `a step costs the changed items and the edges, not the window`() throws {
    let uses = Counted.Uses()
    let counted = { Counted(id: $0, uses: uses) }
    var maxUses: [Int] = []
    for size in [1_000, 100_000] {
      var all = try Snapshot(
        (0..<10).map { tenth in (id: tenth, items: (0..<size / 10).map { counted(tenth * size / 10 + $0) }) })
      var window = SnapshotWindow(size / 4..<3 * size / 4, of: all)
      var count = 0
      // Moves into the window, within it to its end, across it, and back out of it.
      for (item, before) in [(0, size / 2), (size / 2 + 7, 3 * size / 4 - 1), (0, size - 1), (size - 1, 0)] {
        try all.moveItem(counted(item), beforeItem: counted(before))
        let start = uses.count.load(ordering: .relaxed)
        let touched = window.follow(all, changed: [counted(item)], range: size / 4..<3 * size / 4)
        count = max(count, uses.count.load(ordering: .relaxed) - start)
        #expect(touched.count <= 3)
        #expect(window.list.numberOfItems == size / 2)
        #expect(window.list.item(atIndex: 0) == all.item(atIndex: size / 4))
        #expect(window.list.item(atIndex: size / 2 - 1) == all.item(atIndex: 3 * size / 4 - 1))
      }
      maxUses.append(count)
    }
    // A window of a hundred times the size costs only a little more, because its trees are higher.
    #expect(maxUses[1] <= 150, "\(maxUses)")
    #expect(maxUses[1] <= 2 * maxUses[0], "\(maxUses)")
  }
}
