import DiffableSnapshot
import Testing

@Suite struct SnapshotTests {
  @Test func firstSteps() throws {
    var people = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
    let before = people
    try people.moveItem("ada", afterItem: "cleo")
    let diff = people.difference(from: before)
    #expect(
      diff.changes == [.move("ada", from: Place(section: "friends", index: 0), to: Place(section: "work", index: 1), isUpdated: false)])
    #expect(try before.applying(diff) == people)
    #expect(try people.applying(diff.inverse) == before)
    #expect(people.checkInvariants() == nil)
  }
}
