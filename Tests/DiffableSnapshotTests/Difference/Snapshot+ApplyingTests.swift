import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotApplyingTests {
  typealias Diff = SnapshotDiff<String, String>

  private let ada = Place(section: "friends", index: 0)

  @Test func `every place is verified`() throws {
    let far = Place(section: "friends", index: 9)
    let nowhere = Place(section: "family", index: 0)
    let wrong: [(Diff, Letters.Failure)] = [
      (Diff(changes: [.delete("bob", from: ada)]), .itemNotAt("bob", ada)),
      (Diff(changes: [.delete("ada", from: nowhere)]), .itemNotAt("ada", nowhere)),
      (Diff(changes: [.move("bob", from: ada, to: ada, isUpdated: false)]), .itemNotAt("bob", ada)),
      (Diff(changes: [.update("bob", from: ada, to: ada)]), .itemNotAt("bob", ada)),
      (Diff(changes: [.update("ada", from: ada, to: far)]), .itemNotAt("ada", far)),
      (Diff(changes: [.delete("ada", from: ada), .delete("ada", from: ada)]), .itemNotAt("ada", ada)),
      (Diff(changes: [.insert("ada", to: ada)]), .duplicateItem("ada")),
      (Diff(changes: [.insert("x", to: nowhere)]), .unknownSection("family")),
      (Diff(changes: [.insert("x", to: far)]), .indexOutOfRange(9, limit: 3)),
      (
        Diff(changes: [.insert("x", to: Place(section: "friends", index: -1))]),
        .indexOutOfRange(-1, limit: 3)
      ),
      (Diff(sections: [.delete("friends", from: 0)]), .sectionNotEmpty("friends")),
      (Diff(sections: [.delete("work", from: 0)]), .sectionNotAt("work", 0)),
      (Diff(sections: [.move("work", from: 0, to: 0)]), .sectionNotAt("work", 0)),
      (Diff(sections: [.move("work", from: 1, to: 2)]), .indexOutOfRange(2, limit: 1)),
      (Diff(sections: [.update("work", from: 1, to: 0)]), .sectionNotAt("work", 0)),
      (Diff(sections: [.insert("work", to: 0)]), .duplicateSection("work")),
      (Diff(sections: [.insert("family", to: 3)]), .indexOutOfRange(3, limit: 2)),
      (Diff(sections: [.insert("family", to: -1)]), .indexOutOfRange(-1, limit: 2)),
    ]
    for (diff, failure) in wrong {
      let list = try people()
      #expect(throws: failure, "\(diff)") { try list.applying(diff) }
      #expect(!failure.description.isEmpty)
    }
  }

  @Test func `the result has no hidden items and no marks`() throws {
    var list = try people()
    try list.reloadItems(["ada"])
    list.setHidden { $0 != "ada" }
    let result = try list.applying(Diff(changes: [.insert("bob", to: Place(section: "friends", index: 1))]))
    #expect(result.itemIdentifiers == ["ada", "bob"])
    #expect(result.numberOfAllItems == 2)
    #expect(result.reloadedItemIdentifiers == [])
    #expect(result.checkInvariants() == nil)
  }
}
