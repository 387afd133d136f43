import Testing

@testable import DiffableSnapshot

typealias Letters = Snapshot<String, String>

/// Returns a list with the sections `friends` (ada, bob, cleo) and `work` (dan, eve).
func people() throws -> Letters {
  try Letters([(id: "friends", items: ["ada", "bob", "cleo"]), (id: "work", items: ["dan", "eve"])])
}

@Suite struct SnapshotTests {
  @Test func `an empty snapshot answers all queries`() {
    let empty = Letters()
    #expect([empty.numberOfItems, empty.numberOfSections] == [0, 0])
    #expect(empty.itemIdentifiers == [])
    #expect(empty.sectionIdentifiers == [])
    #expect(empty.indexOfItem("ada") == nil)
    #expect(empty.place(of: "ada") == nil)
    #expect(empty.item(atIndex: 0) == nil)
    #expect(empty.sectionIdentifier(at: 0) == nil)
    #expect(empty.difference(from: Letters()).isEmpty)
    #expect(empty.checkInvariants() == nil)
  }

  @Test func `items and sections are found by identifier and by position`() throws {
    let list = try people()
    #expect([list.numberOfItems, list.numberOfSections] == [5, 2])
    #expect([list.numberOfItems(inSection: "friends"), list.numberOfItems(inSection: "family")] == [3, 0])
    #expect(list.itemIdentifiers == ["ada", "bob", "cleo", "dan", "eve"])
    #expect(list.itemIdentifiers(inSection: "work") == ["dan", "eve"])
    #expect(list.itemIdentifiers(inSection: "family") == [])
    for (index, item) in list.itemIdentifiers.enumerated() {
      #expect(list.indexOfItem(item) == index)
      #expect(list.item(atIndex: index) == item)
      #expect(list.place(of: item).flatMap { list.item(at: $0) } == item)
    }
    #expect(list.place(of: "eve") == Place(section: "work", index: 1))
    #expect(list.sectionIdentifier(containingItem: "eve") == "work")
    #expect([list.indexOfSection("work"), list.indexOfSection("family")] == [1, nil])
    #expect(list.sectionIdentifier(at: 1) == "work")
    let missing = [("work", 2), ("work", -1), ("family", 0)].map { Place(section: $0, index: $1) }
    #expect(missing.map { list.item(at: $0) } == [nil, nil, nil])
    #expect([list.item(atIndex: 5), list.item(atIndex: -1)] == [nil, nil])
    #expect([list.contains("ada"), list.contains("zoe")] == [true, false])
    #expect([list.containsSection("work"), list.containsSection("family")] == [true, false])
  }

  @Test func `a copy does not change with the original`() throws {
    let before = try people()
    var after = before
    try after.deleteSections(["friends"])
    try after.appendItems(["zoe"])
    #expect(before == (try people()))
    #expect(before != after)
    #expect(after.itemIdentifiers == ["dan", "eve", "zoe"])
  }

  @Test func `equality compares shown items only`() throws {
    var other = try people()
    #expect(other == (try people()))
    try other.appendItems(["zoe"])
    #expect(other != (try people()))
    try other.setHidden(true, ["zoe"])
    #expect(other == (try people()))
    let regrouped = try Letters([
      (id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo", "dan", "eve"]),
    ])
    #expect(regrouped != (try people()))
  }

  @Test func `duplicates are an error`() {
    #expect(throws: Letters.Failure.duplicateItem("ada")) {
      try Letters([(id: "a", items: ["ada"]), (id: "b", items: ["ada"])])
    }
    #expect(throws: Letters.Failure.duplicateSection("a")) {
      try Letters([(id: "a", items: []), (id: "a", items: [])])
    }
  }

  @Test func `identifiers with equal hashes are distinguished`() throws {
    struct Colliding: Hashable, Sendable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    var list = try Snapshot([(id: 0, items: (0..<200).map(Colliding.init))])
    for number in stride(from: 0, to: 200, by: 2) { try list.deleteItems([Colliding(number: number)]) }
    #expect(list.itemIdentifiers.map(\.number) == Array(stride(from: 1, to: 200, by: 2)))
    #expect(
      (0..<200).filter { list.contains(Colliding(number: $0)) } == Array(stride(from: 1, to: 200, by: 2)))
    #expect(list.checkInvariants() == nil)
  }

  @Test func `many sections of one item are compared`() throws {
    let count = 20_000
    var small = try Snapshot((0..<count).map { (id: $0, items: [$0]) })
    let before = small
    try small.moveItem(0, afterItem: count - 1)
    try small.deleteSections([0])
    let diff = small.difference(from: before)
    #expect(diff.sections == [.delete(0, from: 0)])
    #expect(
      diff.changes == [
        .move(0, from: Place(section: 0, index: 0), to: Place(section: count - 1, index: 1), isUpdated: false)
      ])
    #expect(small.checkInvariants() == nil)
  }
}
