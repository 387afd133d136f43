import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotDiffInverseTests {
  @Test func `the inverse is the difference in the other direction`() throws {
    let old = try people()
    var new = old
    try new.deleteItems(["bob"])
    try new.appendItems(["zoe"])
    try new.moveSection("work", beforeSection: "friends")
    let diff = new.difference(from: old, updated: ["eve"])
    #expect(diff.inverse.changes.first == .delete("zoe", from: Place(section: "work", index: 2)))
    #expect(
      diff.inverse.changes.last
        == .update("eve", from: Place(section: "work", index: 1), to: Place(section: "work", index: 1)))
    #expect(diff.inverse.inverse == diff)
    #expect(try new.applying(diff.inverse) == old)
  }

  @Test func `a difference made by hand has an inverse`() {
    let diff = SnapshotDiff<String, String>(
      sections: [.insert("x", to: 0)],
      changes: [
        .insert("b", to: Place(section: "x", index: 0)), .insert("a", to: Place(section: "x", index: 1)),
      ])
    #expect(diff.inverse.sections == [.delete("x", from: 0)])
    #expect(
      diff.inverse.changes == [
        .delete("a", from: Place(section: "x", index: 1)), .delete("b", from: Place(section: "x", index: 0)),
      ])
  }
}
