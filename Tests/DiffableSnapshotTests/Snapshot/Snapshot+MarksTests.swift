import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotMarksTests {
  @Test func `marks are reported once each as updates`() throws {
    let before = try people()
    var after = before
    try after.reloadItems(["eve", "ada"])
    try after.reconfigureItems(["ada", "dan"])
    try after.reloadSections(["work"])
    #expect(after.reloadedItemIdentifiers == ["ada", "eve"])
    #expect(after.reconfiguredItemIdentifiers == ["ada", "dan"])
    #expect(after.reloadedSectionIdentifiers == ["work"])
    try after.moveItem("dan", beforeItem: "ada")
    let diff = after.difference(from: before)
    #expect(diff.sections == [.update("work", from: 1, to: 1)])
    #expect(
      diff.changes == [
        .move(
          "dan", from: Place(section: "work", index: 0), to: Place(section: "friends", index: 0),
          isUpdated: true),
        .update("ada", from: Place(section: "friends", index: 0), to: Place(section: "friends", index: 1)),
        .update("eve", from: Place(section: "work", index: 1), to: Place(section: "work", index: 0)),
      ])
    after.clearMarks()
    #expect(after.reloadedItemIdentifiers == [])
    #expect(after.difference(from: before).changes.count == 1)
  }

  @Test func `marks are deleted with their items and sections`() throws {
    var list = try people()
    try list.reloadItems(["ada", "dan"])
    try list.reloadSections(["work"])
    try list.deleteItems(["ada"])
    try list.deleteSections(["work"])
    #expect(list.reloadedItemIdentifiers == [])
    #expect(list.reloadedSectionIdentifiers == [])
    #expect(list.checkInvariants() == nil)
    #expect(throws: Letters.Failure.unknownItem("ada")) { try list.reloadItems(["bob", "ada"]) }
    #expect(throws: Letters.Failure.unknownItem("ada")) { try list.reconfigureItems(["ada"]) }
    #expect(list.reloadedItemIdentifiers == [])
  }
}
