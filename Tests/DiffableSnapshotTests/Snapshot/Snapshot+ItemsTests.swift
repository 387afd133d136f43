import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotItemsTests {
  private func friends(_ edit: (inout Letters) throws -> Void) throws -> [String] {
    var list = try people()
    try edit(&list)
    #expect(list.checkInvariants() == nil)
    return list.sectionIdentifiers.flatMap { ["\($0):"] + list.itemIdentifiers(inSection: $0) }
  }

  @Test func `items are appended`() throws {
    #expect(
      try friends { try $0.appendItems(["x", "y"]) } == [
        "friends:", "ada", "bob", "cleo", "work:", "dan", "eve", "x", "y",
      ])
    #expect(
      try friends { try $0.appendItems(["x"], toSection: "friends") } == [
        "friends:", "ada", "bob", "cleo", "x", "work:", "dan", "eve",
      ])
    #expect(try friends { try $0.appendItems([]) }.count == 7)
  }

  @Test func `items are inserted before and after others`() throws {
    #expect(
      try friends { try $0.insertItems(["x", "y"], beforeItem: "ada") }.prefix(4) == [
        "friends:", "x", "y", "ada",
      ])
    #expect(
      try friends { try $0.insertItems(["x", "y"], afterItem: "ada") }.prefix(4) == [
        "friends:", "ada", "x", "y",
      ])
    #expect(
      try friends { try $0.insertItem("x", inSection: "work", at: 2) }.suffix(3) == ["dan", "eve", "x"])
  }

  @Test func `items are deleted`() throws {
    #expect(
      try friends { try $0.deleteItems(["bob", "dan", "bob"]) } == [
        "friends:", "ada", "cleo", "work:", "eve",
      ])
    #expect(
      try friends { try $0.deleteItems(["dan", "eve"]) } == ["friends:", "ada", "bob", "cleo", "work:"])
  }

  @Test func `items move within and across sections`() throws {
    #expect(
      try friends { try $0.moveItem("ada", afterItem: "cleo") }.prefix(4) == [
        "friends:", "bob", "cleo", "ada",
      ])
    #expect(
      try friends { try $0.moveItem("cleo", beforeItem: "ada") }.prefix(4) == [
        "friends:", "cleo", "ada", "bob",
      ])
    #expect(
      try friends { try $0.moveItem("ada", beforeItem: "eve") } == [
        "friends:", "bob", "cleo", "work:", "dan", "ada", "eve",
      ])
    #expect(
      try friends { try $0.moveItem("ada", toSection: "friends", at: 2) }.prefix(4) == [
        "friends:", "bob", "cleo", "ada",
      ])
    #expect(
      try friends { try $0.moveItem("ada", toSection: "friends", at: 0) }.prefix(4) == [
        "friends:", "ada", "bob", "cleo",
      ])
    #expect(
      try friends { try $0.moveItem("ada", toSection: "work", at: 2) }.suffix(3) == ["dan", "eve", "ada"])
  }

  @Test func `an impossible edit throws and changes nothing`() throws {
    let misuses: [(Letters.Failure, (inout Letters) throws(Letters.Failure) -> Void)] = [
      (.duplicateItem("ada"), { list throws(Letters.Failure) in try list.appendItems(["x", "ada"]) }),
      (.duplicateItem("x"), { list throws(Letters.Failure) in try list.appendItems(["x", "y", "x"]) }),
      (
        .duplicateItem("x"),
        { list throws(Letters.Failure) in try list.insertItems(["x", "x"], beforeItem: "bob") }
      ),
      (
        .duplicateItem("ada"),
        { list throws(Letters.Failure) in try list.insertItem("ada", inSection: "work", at: 0) }
      ),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.appendItems(["x"], toSection: "family") }
      ),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.insertItem("x", inSection: "family", at: 0) }
      ),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.moveItem("ada", toSection: "family", at: 0) }
      ),
      (.unknownItem("zoe"), { list throws(Letters.Failure) in try list.deleteItems(["ada", "zoe"]) }),
      (
        .unknownItem("zoe"), { list throws(Letters.Failure) in try list.insertItems(["x"], afterItem: "zoe") }
      ),
      (.unknownItem("zoe"), { list throws(Letters.Failure) in try list.moveItem("zoe", beforeItem: "ada") }),
      (.unknownItem("zoe"), { list throws(Letters.Failure) in try list.moveItem("ada", beforeItem: "zoe") }),
      (
        .unknownItem("zoe"),
        { list throws(Letters.Failure) in try list.moveItem("zoe", toSection: "work", at: 0) }
      ),
      (
        .itemRelativeToItself("ada"),
        { list throws(Letters.Failure) in try list.moveItem("ada", afterItem: "ada") }
      ),
      (
        .indexOutOfRange(4, limit: 3),
        { list throws(Letters.Failure) in try list.insertItem("x", inSection: "friends", at: 4) }
      ),
      (
        .indexOutOfRange(-1, limit: 3),
        { list throws(Letters.Failure) in try list.insertItem("x", inSection: "friends", at: -1) }
      ),
      (
        .indexOutOfRange(3, limit: 2),
        { list throws(Letters.Failure) in try list.moveItem("ada", toSection: "friends", at: 3) }
      ),
      (
        .indexOutOfRange(.max, limit: 2),
        { list throws(Letters.Failure) in try list.moveItem("ada", toSection: "work", at: .max) }
      ),
    ]
    for (failure, misuse) in misuses {
      var list = try people()
      #expect(throws: failure) { try misuse(&list) }
      #expect(list == (try people()), "\(failure)")
      #expect(list.checkInvariants() == nil, "\(failure)")
      #expect(!failure.description.isEmpty)
    }
    var empty = Letters()
    #expect(throws: Letters.Failure.noSections) { try empty.appendItems(["x"]) }
  }

  @Test func `lists that grow at their ends stay balanced`() throws {
    var list = try Snapshot<Int, Int>([(id: 0, items: [])])
    for item in 0..<3_000 {
      try list.insertItem(item, inSection: 0, at: item % 2 == 0 ? 0 : list.numberOfItems)
    }
    #expect(list.checkInvariants() == nil)
    for item in 0..<2_990 { try list.deleteItems([item]) }
    #expect(list.checkInvariants() == nil)
    #expect(list.itemIdentifiers == [2_998, 2_996, 2_994, 2_992, 2_990, 2_991, 2_993, 2_995, 2_997, 2_999])
  }
}
