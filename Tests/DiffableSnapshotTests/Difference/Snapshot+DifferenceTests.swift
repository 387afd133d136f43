import Testing

@testable import DiffableSnapshot

/// The cases that other diff algorithms get wrong.
@Suite struct SnapshotDifferenceTests {
  typealias Diff = SnapshotDiff<Int, String>

  private func list(_ items: [String]...) throws -> Snapshot<Int, String> {
    try Snapshot(items.enumerated().map { (id: $0.offset, items: $0.element) })
  }

  private func place(_ section: Int, _ index: Int) -> Place<Int> { Place(section: section, index: index) }

  @Test func `an update below an insert has two places`() throws {
    let diff = try list(["x", "a"]).difference(from: list(["a"]), touched: ["x", "a"], updated: ["a"])
    #expect(
      diff.changes == [.insert("x", to: place(0, 0)), .update("a", from: place(0, 0), to: place(0, 1))])
  }

  @Test func `a move with an update is one move`() throws {
    let diff = try list(["b", "a"]).difference(from: list(["a", "b"]), touched: ["b"], updated: ["b"])
    #expect(diff.changes == [.move("b", from: place(0, 1), to: place(0, 0), isUpdated: true)])
  }

  @Test func `a move can have equal indexes`() throws {
    let diff = try list(["x", "y", "2", "0", "1"]).difference(from: list(["0", "1", "2"]))
    #expect(
      diff.changes == [
        .insert("x", to: place(0, 0)), .insert("y", to: place(0, 1)),
        .move("2", from: place(0, 2), to: place(0, 2), isUpdated: false),
      ])
  }

  @Test func `two swapped items are always the same move and update`() throws {
    for _ in 0..<50 {
      let diff = try list(["b", "a"]).difference(
        from: list(["a", "b"]), touched: ["a", "b"], updated: ["a", "b"])
      #expect(
        diff.changes == [
          .move("b", from: place(0, 1), to: place(0, 0), isUpdated: true),
          .update("a", from: place(0, 0), to: place(0, 1)),
        ])
    }
  }

  @Test func `an item that falls back to its old index has moved`() throws {
    let diff = try list(["c", "b"]).difference(
      from: list(["a", "b", "c"]), touched: ["a", "b"], updated: ["b"])
    #expect(
      diff.changes == [
        .delete("a", from: place(0, 0)), .move("b", from: place(0, 1), to: place(0, 1), isUpdated: true),
      ])
  }

  @Test func `an item that only shifts has not moved`() throws {
    let diff = try list(["b", "c"]).difference(
      from: list(["a", "b", "c"]), touched: ["a", "c"], updated: ["c"])
    #expect(
      diff.changes == [.delete("a", from: place(0, 0)), .update("c", from: place(0, 2), to: place(0, 1))])
  }

  @Test func `an item from the top of 100,000 to the bottom is one move`() throws {
    let items = (0..<100_000).map { $0 }
    let old = try Snapshot([(id: 0, items: items)])
    let built = try Snapshot([(id: 0, items: items.dropFirst() + [0])])
    var edited = old
    try edited.moveItem(0, afterItem: 99_999)
    let move = SnapshotDiff<Int, Int>.ItemChange.move(
      0, from: place(0, 0), to: place(0, 99_999), isUpdated: false)
    #expect(built.difference(from: old).changes == [move])
    #expect(edited.difference(from: old).changes == [move])
    #expect(edited.difference(from: old, touched: [0]).changes == [move])
  }

  @Test func `equal lists have no difference`() throws {
    let old = try list(["a", "b"], ["c"])
    #expect(old.difference(from: old).isEmpty)
    #expect(try old.difference(from: list(["a", "b"], ["c"])).isEmpty)
    #expect(old.difference(from: old, touched: ["a", "zoe"]).isEmpty)
    #expect(old.difference(from: old, touched: [], updated: ["a"]).isEmpty, "only touched items are listed")
  }

  @Test func `all items of deleted and inserted sections are listed`() throws {
    let old = try Snapshot([(id: 1, items: ["a", "b"]), (id: 2, items: ["c"])])
    let new = try Snapshot([(id: 2, items: ["c", "a"]), (id: 3, items: ["d", "e"])])
    let diff = new.difference(from: old)
    #expect(diff.sections == [.delete(1, from: 0), .insert(3, to: 1)])
    #expect(
      diff.changes == [
        .delete("b", from: place(1, 1)), .move("a", from: place(1, 0), to: place(2, 1), isUpdated: false),
        .insert("d", to: place(3, 0)), .insert("e", to: place(3, 1)),
      ])
  }

  @Test func `a moved section keeps its items`() throws {
    let old = try Snapshot([(id: 1, items: ["a", "b"]), (id: 2, items: ["c"]), (id: 3, items: ["d"])])
    var new = old
    try new.moveSection(1, afterSection: 3)
    try new.moveItem("d", beforeItem: "b")
    let diff = new.difference(from: old)
    #expect(diff.sections == [.move(1, from: 0, to: 2)])
    #expect(diff.changes == [.move("d", from: place(3, 0), to: place(1, 1), isUpdated: false)])
    #expect(try old.applying(diff) == new)
  }

  @Test func `untouched sections do not move`() throws {
    let old = try Snapshot((1...4).map { (id: $0, items: ["\($0)"]) })
    var new = old
    try new.moveSection(1, afterSection: 2)
    #expect(new.difference(from: old, touched: ["1"]).sections == [.move(1, from: 0, to: 1)])
    #expect(new.difference(from: old, touched: ["2"]).sections == [.move(2, from: 1, to: 0)])
    #expect(
      new.difference(from: old, touched: [], updatedSections: [2]).sections == [.move(2, from: 1, to: 0)])
  }

  @Test func `a section is listed once`() throws {
    let old = try Snapshot((1...3).map { (id: $0, items: ["\($0)"]) })
    var new = old
    try new.moveSection(3, beforeSection: 1)
    let diff = new.difference(from: old, updatedSections: [2, 3, 9])
    #expect(diff.sections == [.move(3, from: 2, to: 0), .update(2, from: 1, to: 2)])
  }

  @Test func `two lists derived from one are compared`() throws {
    let root = try Snapshot([(id: 0, items: Array(0..<500))])
    var one = root
    var other = root
    try one.deleteItems([100])
    try one.insertItem(1_000, inSection: 0, at: 7)
    try other.deleteItems([200])
    try other.insertItem(2_000, inSection: 0, at: 7)
    let diff = other.difference(from: one)
    #expect(diff.changes.count == 4)
    #expect(try one.applying(diff) == other)
    #expect(try other.applying(diff.inverse) == one)
  }
}
