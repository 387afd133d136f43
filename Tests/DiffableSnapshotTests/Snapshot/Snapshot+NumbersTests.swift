import TestSupport
import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotNumbersTests {
  @Test func `an item keeps its number, and a new item gets a free one`() throws {
    var list = try people()
    #expect(["ada", "eve", "zoe"].map { list.itemNumber(of: $0) } == [0, 4, nil])
    try list.moveItem("ada", toSection: "work", at: 0)
    try list.setHidden(true, ["eve"])
    #expect(["ada", "eve"].map { list.itemNumber(of: $0) } == [0, 4])
    let copy = list
    try list.deleteItems(["bob"])
    try list.appendItems(["zoe"])
    #expect(list.itemNumber(of: "zoe") == 1)
    #expect(copy.itemNumber(of: "bob") == 1)
    #expect(list.itemNumberLimit == 5)
  }

  @Test func `numbers and identifiers hide the same items`() throws {
    for seed in Randomness.seeds(60) {
      var random = SeededGenerator(seed: seed)
      var model = SnapshotModel([Array(0..<random.below(300)), Array(300..<300 + random.below(300))])
      var list = try model.snapshot()
      var newID = 1_000
      for _ in 0..<random.below(60) { try model.edit(&list, &random, newID: &newID) }
      var ids = [Int?](repeating: nil, count: list.itemNumberLimit)
      var listed: [Int] = []
      list.forEachItem(includingHidden: true) { number, id in
        ids[number] = id
        listed.append(id)
      }
      #expect(
        listed == list.allSectionIdentifiers.flatMap { list.allItemIdentifiers(inSection: $0) },
        "\(seedNote(seed))")
      #expect(listed.allSatisfy { id in list.itemNumber(of: id).map { ids[$0] } == id }, "\(seedNote(seed))")
      var shown: [Int] = []
      list.forEachItem(includingHidden: false) { _, id in shown.append(id) }
      #expect(shown == list.itemIdentifiers, "\(seedNote(seed))")

      let divisor = 1 + random.below(4)
      for asked in [AskedItems.all, .shown, .hidden] {
        var (one, other) = (list, list)
        one.setHidden(asking: asked) { $0 % divisor == 0 }
        other.setHiddenNumbers(asking: asked) { number in ids[number].map { $0 % divisor == 0 } ?? false }
        #expect(one == other, "\(seedNote(seed))")
        #expect(other.checkInvariants() == nil, "\(seedNote(seed))")
      }
    }
  }
}
