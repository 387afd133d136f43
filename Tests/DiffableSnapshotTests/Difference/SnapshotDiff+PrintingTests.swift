import DiffableSnapshot
import Testing

struct SnapshotDiffPrintingTests {
  @Test func `a difference prints one line per change`() throws {
    let old = try Snapshot([(id: "friends", items: ["ada", "bob"]), (id: "work", items: ["cleo"])])
    var new = try Snapshot([(id: "club", items: ["dan"]), (id: "friends", items: ["ada", "cleo"])])
    try new.reconfigureItems(["ada", "cleo"])
    #expect(
      new.difference(from: old).description.split(separator: "\n") == [
        "- section work from 1", "+ section club at 0", "- bob from friends[1]", "+ dan at club[0]",
        "> cleo work[0] → friends[1], changed", "~ ada at friends[0]",
      ])
    #expect(old.difference(from: old).description == "no changes")
  }

  @Test func `moved and updated sections print a line`() {
    let diff = SnapshotDiff<String, String>(sections: [
      .move("a", from: 1, to: 0), .update("b", from: 0, to: 1),
    ])
    #expect(diff.description == "> section a 1 → 0\n~ section b at 1")
  }
}
