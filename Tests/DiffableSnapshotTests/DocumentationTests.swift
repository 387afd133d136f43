import DiffableSnapshot
import Testing

/// The examples of the documentation do what they say.
@Suite struct DocumentationTests {
  @Test func theExamplesHold() throws {
    var list = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
    try list.appendItems(["dan"], toSection: "work")
    try list.moveItem("bob", beforeItem: "ada")
    try list.insertSection("family", at: 0)
    #expect(throws: SnapshotError<String, String>.duplicateItem("ada")) { try list.appendItems(["ada"]) }

    #expect(list.place(of: "cleo") == Place(section: "work", index: 0) && list.indexOfItem("cleo") == 2)
    #expect(list.item(atIndex: 0) == "bob" && Array(list.items(in: 1..<3)) == ["ada", "cleo"])

    let place = list.partitionPoint(inSection: "work") { $0 > "coco" }
    try list.insertItem("coco", inSection: "work", at: place)
    #expect(list.itemIdentifiers(inSection: "work") == ["cleo", "coco", "dan"])

    let before = list
    try list.moveItem("bob", afterItem: "dan")
    try list.deleteItems(["ada"])
    let diff = list.difference(from: before)
    #expect(diff.changes.map(\.item) == ["ada", "bob"])
    #expect(list.difference(from: before, touched: ["ada", "bob"], updated: ["bob"]).changes.count == 2)
    #expect(try before.applying(diff) == list)
    #expect(try list.applying(diff.inverse) == before)

    list.setHidden { !$0.contains("o") }
    #expect(list.itemIdentifiers == ["cleo", "coco", "bob"])
    list.setHidden(asking: .shown) { !$0.contains("co") }
    #expect(list.itemIdentifiers == ["coco"])
    list.setHidden(asking: .hidden) { _ in false }
    #expect(list.itemIdentifiers == ["cleo", "coco", "dan", "bob"])
  }
}
