import Testing

@testable import DiffableSnapshot

@Suite struct SnapshotSectionsTests {
  private func sections(_ edit: (inout Letters) throws -> Void) throws -> [String] {
    var list = try people()
    try edit(&list)
    #expect(list.checkInvariants() == nil)
    return list.sectionIdentifiers
  }

  @Test func `sections are appended, inserted, moved and deleted`() throws {
    #expect(try sections { try $0.appendSections(["x", "y"]) } == ["friends", "work", "x", "y"])
    #expect(
      try sections { try $0.insertSections(["x", "y"], beforeSection: "work") } == [
        "friends", "x", "y", "work",
      ])
    #expect(
      try sections { try $0.insertSections(["x", "y"], afterSection: "friends") } == [
        "friends", "x", "y", "work",
      ])
    #expect(try sections { try $0.insertSection("x", at: 0) } == ["x", "friends", "work"])
    #expect(try sections { try $0.moveSection("work", beforeSection: "friends") } == ["work", "friends"])
    #expect(try sections { try $0.moveSection("friends", afterSection: "work") } == ["work", "friends"])
    #expect(try sections { try $0.deleteSections(["friends"]) } == ["work"])
  }

  @Test func `items move with their section and are deleted with it`() throws {
    var list = try people()
    try list.moveSection("work", beforeSection: "friends")
    #expect(list.itemIdentifiers == ["dan", "eve", "ada", "bob", "cleo"])
    try list.deleteSections(["work"])
    #expect(list.itemIdentifiers == ["ada", "bob", "cleo"])
    #expect(list.place(of: "dan") == nil)
    try list.appendItems(["dan"])
    #expect(list.checkInvariants() == nil)
  }

  @Test func `an impossible edit throws and changes nothing`() throws {
    let misuses: [(Letters.Failure, (inout Letters) throws(Letters.Failure) -> Void)] = [
      (
        .duplicateSection("work"), { list throws(Letters.Failure) in try list.appendSections(["x", "work"]) }
      ),
      (.duplicateSection("x"), { list throws(Letters.Failure) in try list.appendSections(["x", "x"]) }),
      (.duplicateSection("work"), { list throws(Letters.Failure) in try list.insertSection("work", at: 0) }),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.deleteSections(["work", "family"]) }
      ),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.insertSections(["x"], afterSection: "family") }
      ),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.moveSection("family", afterSection: "work") }
      ),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.moveSection("work", afterSection: "family") }
      ),
      (
        .sectionRelativeToItself("work"),
        { list throws(Letters.Failure) in try list.moveSection("work", afterSection: "work") }
      ),
      (.indexOutOfRange(3, limit: 2), { list throws(Letters.Failure) in try list.insertSection("x", at: 3) }),
      (
        .indexOutOfRange(2, limit: 1),
        { list throws(Letters.Failure) in try list.moveSection("work", toIndexAmongAll: 2) }
      ),
      (
        .unknownSection("family"),
        { list throws(Letters.Failure) in try list.setPinned(true, section: "family") }
      ),
      (.unknownSection("family"), { list throws(Letters.Failure) in try list.reloadSections(["family"]) }),
    ]
    for (failure, misuse) in misuses {
      var list = try people()
      #expect(throws: failure) { try misuse(&list) }
      #expect(list == (try people()), "\(failure)")
      #expect(list.checkInvariants() == nil, "\(failure)")
      #expect(!failure.description.isEmpty)
    }
  }
}
