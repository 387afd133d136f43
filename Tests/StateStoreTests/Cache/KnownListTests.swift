import DiffableSnapshot
import Files
@testable import Store
import Streams
import TestSupport
import Testing
import TextEdits
import Values
import Watch

@testable import Query
@testable import StateStore

@Suite struct KnownListTests {
  private static func content(_ list: ListSnapshot<Item>) -> [String] {
    var content = list.sectionTitles.map { "\($0.id) \($0.title ?? "none")" }
    list.forEachRow { content.append("\($0.section) \($0.id) \($0.path) \($0.value.value.text)") }
    return content
  }

  /// Records a list in a new state, and closes the state.
  private static func fixture(_ list: ListSnapshot<Item>) throws -> StateFixture {
    let fixture = try StateFixture()
    try fixture.begin(list).close()
    // The digest is kept by a start that has the list in memory.
    try #require(try fixture.open(current: list).state).close()
    return fixture
  }

  @Test func `a list that did not change is not read from the state`() throws {
    let list = try RandomList(seed: 1, count: 20).list
    let fixture = try Self.fixture(list)
    let current = try RandomList(seed: 1, count: 20).list
    let opening = try fixture.open(current: current)
    let resumed = try #require(opening.resumed)
    #expect(resumed.list.isSame(as: current))
    #expect(resumed.position.token == "t1")
    opening.state?.close()
  }

  @Test(arguments: Randomness.seeds(3)) func `a consumer gets its own list, whatever the list is now`(
    _ seed: UInt64
  ) throws {
    var random = RandomList(seed: seed, count: 12)
    var last = try random.list
    let fixture = try Self.fixture(last)
    var found = 0
    for number in 2..<14 {
      if number > 2, random.generator.oneIn(2) { random.change(most: 3) }
      let current = try random.list
      let opening = try fixture.open(current: current)
      let resumed = try #require(opening.resumed, "\(seedNote(seed))")
      #expect(Self.content(resumed.list) == Self.content(last), "\(seedNote(seed))")
      if resumed.list.isSame(as: current) { found += 1 }
      if random.generator.oneIn(2) {
        opening.state?.offer(from: resumed.list, to: current, "t\(number)", seq: number)
        #expect(opening.state?.acknowledge("t\(number)") == true, "\(seedNote(seed))")
        last = current
      }
      opening.state?.close()
    }
    #expect(found > 0, "\(seedNote(seed))")
  }

  @Test func `damage of the digest gives no other list`() throws {
    let list = try RandomList(seed: 2, count: 5).list
    let fixture = try Self.fixture(list)
    let file = "cache/notes-watch/\(try fixture.folder.shell("ls cache/notes-watch").dropLast())"
    let bytes = try fixture.folder.bytes(of: file)
    let other = try RandomList(seed: 3, count: 5).list
    for index in stride(from: 0, to: bytes.count, by: 3) {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      try fixture.folder.write(damaged, to: "new")
      try fixture.folder.shell("chmod 600 new; mv new \(file)")
      let opening = try fixture.open(current: other)
      #expect(opening.resumed.map { Self.content($0.list) } == Self.content(list), "byte \(index)")
      opening.state?.close()
    }
  }

  @Test func `every part of a list is in its digest`() throws {
    func row(
      _ section: SectionID = "s", _ id: Item.ID = "a", _ path: String = "a.yaml", _ value: Value = ["k": "v"]
    ) throws -> ListRow {
      ListRow(
        section: section, id: id, path: try #require(RelativePath(printed: path)), value: PackedValue(value))
    }
    func digest(_ sections: [(id: SectionID, title: String?)], _ rows: [ListRow], key: UInt64 = 0) throws
      -> ContentDigest
    {
      ContentDigest(
        of: try #require(ListSnapshot<Item>(restoring: sections, rows: rows, request: FetchRequest())),
        key: (key, 1))
    }
    let other = try row("s", "b", "b.yaml")
    let digests = [
      try digest([("s", nil)], [row(), other]), try digest([("s", nil)], [other, row()]),
      try digest([("s", "")], [row(), other]),
      try digest([("s", nil), ("t", nil)], [row(), other]),
      try digest([("s", nil), ("t", nil)], [row("t"), other]),
      try digest([("s", nil)], [row()]), try digest([("s", nil)], [row("s", "a", "a.json"), other]),
      try digest([("s", nil)], [row("s", "a", "a.yaml", ["k": "w"]), other]),
      try digest([("s", nil)], [row(), other], key: 1),
    ]
    #expect(Set(digests).count == digests.count)
    #expect(try digest([("s", nil)], [row(), other]) == digests[0])
  }
}
