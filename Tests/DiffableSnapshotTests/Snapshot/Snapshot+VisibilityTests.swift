import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotVisibilityTests {
  @Test func `hidden items keep their place`() throws {
    var list = try people()
    try list.setHidden(true, ["bob"])
    #expect(list.itemIdentifiers == ["ada", "cleo", "dan", "eve"])
    #expect([list.indexOfItem("cleo"), list.indexOfItem("bob")] == [1, nil])
    #expect([list.isHidden("ada"), list.isHidden("bob"), list.isHidden("zoe")] == [false, true, nil])
    #expect(list.allItemIdentifiers(inSection: "friends") == ["ada", "bob", "cleo"])
    #expect(list.placeAmongAll(of: "cleo") == Place(section: "friends", index: 2))
    #expect(
      [list.numberOfAllItems, list.numberOfAllItems(inSection: "friends"), list.numberOfItems] == [5, 3, 4])
    try list.setHidden(false, ["bob"])
    #expect(list == (try people()))
    #expect(throws: Letters.Failure.unknownItem("zoe")) { try list.setHidden(true, ["ada", "zoe"]) }
    #expect(list == (try people()))
  }

  @Test func `a section is hidden with its last item unless it is pinned`() throws {
    var list = try people()
    list.setHidden { $0 == "dan" || $0 == "eve" }
    #expect(list.sectionIdentifiers == ["friends"])
    #expect(list.numberOfSections == 1)
    #expect(list.indexOfSection("work") == nil)
    #expect(list.allSectionIdentifiers == ["friends", "work"])
    #expect(list.numberOfAllSections == 2)
    try list.setPinned(true, section: "work")
    #expect(list.sectionIdentifiers == ["friends", "work"])
    #expect(list.isPinned(section: "work") == true)
    #expect(list.numberOfItems(inSection: "work") == 0)
    try list.setPinned(false, section: "work")
    #expect(list.sectionIdentifiers == ["friends"])
    try list.deleteItems(["dan", "eve"])
    #expect(list.sectionIdentifiers == ["friends", "work"], "an empty section is shown")
    #expect(list.checkInvariants() == nil)
  }

  @Test func `a filter is evaluated only for the requested items`() throws {
    var list = try people()
    var asked: [String] = []
    list.setHidden { $0.contains("e") }
    #expect(list.itemIdentifiers == ["ada", "bob", "dan"])
    list.setHidden(asking: .shown) {
      asked.append($0); return $0 == "dan"
    }
    #expect(asked == ["ada", "bob", "dan"])
    #expect(list.itemIdentifiers == ["ada", "bob"])
    asked = []
    list.setHidden(asking: .hidden) {
      asked.append($0); return false
    }
    #expect(asked == ["cleo", "dan", "eve"])
    #expect(list == (try people()))
  }

  @Test func `showing all items equals showing each`() throws {
    for seed in Randomness.seeds(50) {
      var random = SeededGenerator(seed: seed)
      let count = random.below(3_000)
      let all = try Snapshot([
        (id: 0, items: Array(0..<count)), (id: 1, items: Array(count..<count + random.below(3))),
      ])
      var found = all
      let divisor = 1 + random.below(400)
      found.setHidden { $0 % divisor != 0 }
      #expect(found.numberOfItems == all.itemIdentifiers.count { $0 % divisor == 0 }, "\(seedNote(seed))")
      found.showAllItems()
      #expect(found == all, "\(seedNote(seed))")
      #expect(found.checkInvariants() == nil, "\(seedNote(seed))")
    }
    var pinned = try people()
    pinned.setHidden { _ in true }
    pinned.showAllItems()
    #expect(pinned == (try people()))
  }

  @Test func `indexes count shown items or all items`() throws {
    var list = try people()
    try list.setHidden(true, ["ada", "bob"])
    try list.insertItem("x", inSection: "friends", at: 0)
    #expect(list.allItemIdentifiers(inSection: "friends") == ["ada", "bob", "x", "cleo"])
    try list.insertItem("y", inSection: "friends", atIndexAmongAll: 1, isHidden: true)
    #expect(list.allItemIdentifiers(inSection: "friends") == ["ada", "y", "bob", "x", "cleo"])
    try list.moveItem("bob", toSection: "work", atIndexAmongAll: 0)
    #expect(list.isHidden("bob") == true)
    #expect(list.allItemIdentifiers(inSection: "work") == ["bob", "dan", "eve"])
    try list.moveItem("x", toSection: "friends", at: 1)
    #expect(list.itemIdentifiers(inSection: "friends") == ["cleo", "x"])
    #expect(throws: Letters.Failure.duplicateItem("bob")) {
      try list.insertItem("bob", inSection: "work", at: 0)
    }
    #expect(throws: Letters.Failure.indexOutOfRange(4, limit: 3)) {
      try list.insertItem("z", inSection: "work", atIndexAmongAll: 4)
    }
    #expect(list.checkInvariants() == nil)
  }

  @Test func `hiding items is a difference of deletes`() throws {
    let all = try people()
    var found = all
    found.setHidden { !$0.contains("a") }
    let diff = found.difference(from: all)
    #expect(diff.changes.map(\.to) == [nil, nil, nil])
    #expect(all.difference(from: found) == diff.inverse)
    #expect(found.withoutHidden() == found)
    #expect(found.withoutHidden().numberOfAllItems == 2)
  }

  @Test func `indexes are found by bisection among shown and all items`() throws {
    for seed in Randomness.seeds(100) {
      var random = SeededGenerator(seed: seed)
      var list = try Snapshot<Int, Int>([(id: 0, items: []), (id: 1, items: [])])
      var expected: [Int] = []
      for item in (0..<random.below(400)).shuffled(using: &random) {
        let place = list.partitionPointAmongAll(inSection: 1) { $0 > item }
        try list.insertItem(item, inSection: 1, atIndexAmongAll: place, isHidden: random.oneIn(2))
        if list.isHidden(item) == false { expected.append(item) }
      }
      expected.sort()
      #expect(list.itemIdentifiers == expected, "\(seedNote(seed))")
      #expect(list.allItemIdentifiers(inSection: 1) == Array(0..<list.numberOfAllItems), "\(seedNote(seed))")
      for bound in stride(from: 0, to: 400, by: 7) {
        let point = list.partitionPoint(inSection: 1) { $0 > bound }
        #expect(point == expected.count { $0 <= bound }, "\(seedNote(seed))")
      }
      #expect(list.partitionPoint(inSection: 0) { _ in true } == 0)
      #expect(list.partitionPoint(inSection: 9) { _ in true } == 0)
    }
  }

  @Test func `sections are found by bisection`() throws {
    let list = try Snapshot((0..<100).map { (id: $0 * 2, items: [Int]()) })
    for bound in -1...200 {
      #expect(list.sectionPartitionPointAmongAll { $0 > bound } == min(100, (bound + 2) / 2))
    }
  }
}
