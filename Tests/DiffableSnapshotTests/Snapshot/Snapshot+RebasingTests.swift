import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotRebasingTests {
  /// Makes random edits that hide nothing, and returns the items that came, went or moved.
  private func edit(_ list: inout Snapshot<Int, Int>, _ random: inout SeededGenerator, newID: inout Int)
    throws -> Set<Int>
  {
    var touched: Set<Int> = []
    for _ in 0..<random.one(of: [1, 3, 40]) {
      let items = list.itemIdentifiers
      let sections = list.allSectionIdentifiers
      // Edits at one place make nodes split and join.
      let item = random.oneIn(3) ? items.first : items.isEmpty ? nil : random.one(of: items)
      switch (random.below(5), item) {
      case (0, let item?):
        try list.deleteItems([item])
        touched.insert(item)
      case (1, let item?):
        let section = random.one(of: sections)
        let count = list.numberOfItems(inSection: section)
        let isInside = list.sectionIdentifier(containingItem: item) == section
        try list.moveItem(
          item, toSection: section, atIndexAmongAll: random.below(max(1, isInside ? count : count + 1)))
        touched.insert(item)
      case (2, _) where sections.count < 4:
        newID += 1
        try list.insertSection(newID, atIndexAmongAll: random.below(sections.count + 1))
        newID += 1
        try list.appendItems([newID], toSection: newID - 1)
        touched.insert(newID)
      default:
        newID += 1
        let section = random.one(of: sections)
        let count = list.numberOfItems(inSection: section)
        try list.insertItem(
          newID, inSection: section, atIndexAmongAll: random.oneIn(2) ? 0 : random.below(count + 1))
        touched.insert(newID)
      }
    }
    for section in list.allSectionIdentifiers.dropFirst() where list.numberOfItems(inSection: section) == 0 {
      try list.deleteSections([section])
    }
    return touched
  }

  @Test(arguments: Randomness.seeds(20))
  func `a rebased view hides the items that the view hides`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = random.one(of: [0, 5, 200, 200, 1_500])
    var base = try Snapshot([
      (id: -1, items: Array(0..<count)), (id: -2, items: Array(count..<count + random.below(300))),
    ])
    try base.setPinned(true, section: -1)
    var newID = 10_000
    var hidden: [Set<Int>] = []
    var views: [Snapshot<Int, Int>] = []
    for part in [0, 2, 50, 1_000_000] {
      hidden.append(part == 0 ? [] : Set(base.itemIdentifiers.filter { $0 % part != 0 || part > 1_000 }))
      var view = base
      view.setHidden { [hidden] in hidden.last?.contains($0) == true }
      views.append(view)
    }
    for round in 0..<8 {
      var new = base
      let touched = try edit(&new, &random, newID: &newID)
      for place in views.indices {
        var view = views[place].rebased(from: base, onto: new, showsNew: random.oneIn(2))
        for item in touched {
          guard let number = view.itemNumber(of: item) else {
            hidden[place].remove(item)
            continue
          }
          let isHidden = random.oneIn(2)
          if view.isHidden(itemNumber: number) != isHidden { view.setHidden(isHidden, itemNumber: number) }
          if isHidden { hidden[place].insert(item) } else { hidden[place].remove(item) }
        }
        let note = "round \(round), view \(place); \(seedNote(seed))"
        #expect(view.checkInvariants() == nil, "\(note)")
        #expect(view.itemIdentifiers == new.itemIdentifiers.filter { !hidden[place].contains($0) }, "\(note)")
        #expect(view.allSectionIdentifiers == new.allSectionIdentifiers, "\(note)")
        let diff = view.difference(from: views[place], touched: touched)
        if round % 4 == 0 { #expect(try views[place].applying(diff) == view.withoutHidden(), "\(note)") }
        views[place] = view
      }
      base = new
    }
  }

  @Test func `a view of an unchanged list stays as it is`() throws {
    let base = try people()
    var view = base
    try view.setHidden(true, ["bob"])
    #expect(view.rebased(from: base, onto: base).index.isIdentical(to: view.index))
    #expect(base.rebased(from: base, onto: base).index.isIdentical(to: base.index))
  }

  @Test func `views share the items and the identifiers of their list`() throws {
    let base = try Snapshot([(id: "", items: Array(0..<1_000))])
    var new = base
    try new.moveItem(7, toSection: "", at: 900)
    for part in 2..<5 {
      var view = base
      view.setHidden { $0 % part == 0 }
      view = view.rebased(from: base, onto: new)
      #expect(view.numberOfItems < 1_000)
      for number in 0..<1_000
      where view.index.leafStorage(of: UInt32(number)) != new.index.leafStorage(of: UInt32(number)) {
        Issue.record("item \(number) is in an array of the view's own")
      }
    }
  }
}

extension OrderedIndex {
  /// The address of the array with the items of a leaf.
  fileprivate func leafStorage(of item: UInt32) -> UInt? {
    var found: UInt?
    root.forEachLeaf { leaf in if leaf.items.contains(item) { found = leaf.storage } }
    return found
  }
}
