import Testing

@testable import DiffableSnapshot

typealias Letters = Snapshot<String, String>

/// Sections `friends` (ada, bob, cleo) and `work` (dan, eve).
func people() throws -> Letters {
  try Letters([(id: "friends", items: ["ada", "bob", "cleo"]), (id: "work", items: ["dan", "eve"])])
}

@Suite struct SnapshotTests {
  @Test func anEmptySnapshotAnswersEverything() {
    let empty = Letters()
    #expect(empty.numberOfItems == 0 && empty.numberOfSections == 0)
    #expect(empty.itemIdentifiers.isEmpty && empty.sectionIdentifiers.isEmpty)
    #expect(empty.indexOfItem("ada") == nil && empty.place(of: "ada") == nil)
    #expect(empty.item(atIndex: 0) == nil && empty.sectionIdentifier(at: 0) == nil)
    #expect(empty.difference(from: Letters()).isEmpty)
    #expect(empty.checkInvariants() == nil)
  }

  @Test func queriesGoBothWays() throws {
    let list = try people()
    #expect(list.numberOfItems == 5 && list.numberOfSections == 2)
    #expect(list.numberOfItems(inSection: "friends") == 3 && list.numberOfItems(inSection: "family") == 0)
    #expect(list.itemIdentifiers == ["ada", "bob", "cleo", "dan", "eve"])
    #expect(list.itemIdentifiers(inSection: "work") == ["dan", "eve"] && list.itemIdentifiers(inSection: "family").isEmpty)
    for (index, item) in list.itemIdentifiers.enumerated() {
      #expect(list.indexOfItem(item) == index && list.item(atIndex: index) == item)
      #expect(list.place(of: item).flatMap { list.item(at: $0) } == item)
    }
    #expect(list.place(of: "eve") == Place(section: "work", index: 1))
    #expect(list.sectionIdentifier(containingItem: "eve") == "work")
    #expect(list.indexOfSection("work") == 1 && list.sectionIdentifier(at: 1) == "work" && list.indexOfSection("family") == nil)
    #expect(list.item(at: Place(section: "work", index: 2)) == nil && list.item(at: Place(section: "work", index: -1)) == nil)
    #expect(list.item(at: Place(section: "family", index: 0)) == nil && list.item(atIndex: 5) == nil && list.item(atIndex: -1) == nil)
    #expect(list.contains("ada") && !list.contains("zoe") && list.containsSection("work") && !list.containsSection("family"))
  }

  @Test func aCopyKeepsWhatWas() throws {
    let before = try people()
    var after = before
    try after.deleteSections(["friends"])
    try after.appendItems(["zoe"])
    #expect(before == (try people()) && before != after)
    #expect(after.itemIdentifiers == ["dan", "eve", "zoe"])
  }

  @Test func equalityIsOfWhatIsShown() throws {
    var other = try people()
    #expect(other == (try people()))
    try other.appendItems(["zoe"])
    #expect(other != (try people()))
    try other.setHidden(true, ["zoe"])
    #expect(other == (try people()))
    let regrouped = try Letters([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo", "dan", "eve"])])
    #expect(regrouped != (try people()))
  }

  @Test func duplicatesAreAnError() {
    #expect(throws: Letters.Failure.duplicateItem("ada")) { try Letters([(id: "a", items: ["ada"]), (id: "b", items: ["ada"])]) }
    #expect(throws: Letters.Failure.duplicateSection("a")) { try Letters([(id: "a", items: []), (id: "a", items: [])]) }
  }

  @Test func identifiersWithOneHashAreToldApart() throws {
    struct Stubborn: Hashable, Sendable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    var list = try Snapshot([(id: 0, items: (0..<200).map(Stubborn.init))])
    for number in stride(from: 0, to: 200, by: 2) { try list.deleteItems([Stubborn(number: number)]) }
    #expect(list.itemIdentifiers.map(\.number) == Array(stride(from: 1, to: 200, by: 2)))
    #expect((0..<200).allSatisfy { list.contains(Stubborn(number: $0)) == ($0 % 2 == 1) })
    #expect(list.checkInvariants() == nil)
  }

  @Test func manySmallSectionsAndOneLargeAreBothFine() throws {
    let count = 20_000
    var small = try Snapshot((0..<count).map { (id: $0, items: [$0]) })
    let before = small
    try small.moveItem(0, afterItem: count - 1)
    try small.deleteSections([0])
    let diff = small.difference(from: before)
    #expect(diff.sections == [.delete(0, from: 0)])
    #expect(
      diff.changes == [.move(0, from: Place(section: 0, index: 0), to: Place(section: count - 1, index: 1), isUpdated: false)])
    #expect(small.checkInvariants() == nil)
  }
}
