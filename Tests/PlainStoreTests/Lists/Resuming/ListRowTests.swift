import Files
@testable import Store
@testable import Streams
import Testing
import Values

@testable import Folder
@testable import Query

struct ListRowTests {
  private static let tags = FetchRequest(
    section: SectionDescriptor("tags", by: .element, titles: ["red": "Red"]))

  private static func rows(_ list: ListSnapshot<Item>) -> [ListRow] {
    var rows: [ListRow] = []
    list.forEachRow { rows.append($0) }
    return rows
  }

  private static func restored(_ list: ListSnapshot<Item>) throws -> ListSnapshot<Item> {
    try #require(ListSnapshot<Item>(restoring: list.sectionTitles, rows: rows(list), request: list.request))
  }

  @Test func `rows have the shown fields, with pseudo-fields, in the order of the list`() throws {
    let state = StoreState([.sample("d/a.yaml", ["n": 2, "m": 1]), .sample("b.yaml", ["n": 1])])
    let list = ListSnapshot<Item>(of: state, request: FetchRequest(sort: ["n"], fields: ["n", "@dir"]))
    #expect(Self.rows(list).map(\.id) == ["b", "d/a"])
    #expect(Self.rows(list).map(\.value.value) == [["n": 1, "@dir": ""], ["n": 2, "@dir": "d"]])
    #expect(list.row("d/a") == Self.rows(list).last)
    #expect(list.row("d/a")?.path == "d/a.yaml")
    #expect(list.row("none") == nil)
  }

  @Test func `a list of all fields packs no value again`() throws {
    let item = Item.sample("a.yaml", ["n": 1])
    let list = ListSnapshot<Item>(of: StoreState([item]), request: FetchRequest())
    let value = try #require(list.row("a")?.value)
    #expect(
      value.bytes.withUnsafeBytes { $0.baseAddress } == item.fields.bytes.withUnsafeBytes { $0.baseAddress })
  }

  @Test func `a restored list shows its rows, sections and titles`() throws {
    let state = StoreState([
      .sample("a.yaml", ["tags": .list(["red", "blue"])]), .sample("b.yaml", ["tags": "red"]),
    ])
    let list = ListSnapshot<Item>(of: state, request: Self.tags)
    let restored = try Self.restored(list)
    #expect(restored.list == list.list)
    #expect(restored.sectionTitles.map(\.title) == [nil, "Red"])
    #expect(Self.rows(restored) == Self.rows(list))
    #expect(restored.count == 3)
    #expect(restored.item("a")?.path == "a.yaml")
    #expect(restored.path(of: "a") == "a.yaml")
    #expect(restored.path(of: Item.ID("a", in: "blue")) == "a.yaml")
    #expect(restored.path(of: "none") == nil)
    #expect(restored.places(of: "a") == list.places(of: "a"))
    #expect(restored.item(Item.ID("b", in: "blue")) == nil)
    #expect(restored.map(\.id) == ["a", "a", "b"])
    #expect(restored.problems.isEmpty)
  }

  @Test func `occurrences of an item may show different values`() throws {
    let values: [(SectionID, Value)] = [("red", ["n": 1]), ("blue", ["n": 2])]
    let rows = values.map { section, value in
      ListRow(section: section, id: Item.ID("a", in: section), path: "a.yaml", value: PackedValue(value))
    }
    let list = try #require(
      ListSnapshot<Item>(restoring: [("red", nil), ("blue", nil)], rows: rows, request: Self.tags))
    #expect(Self.rows(list) == rows)
  }

  @Test func `rows that contradict each other or the sections do not form a list`() {
    let row = ListRow(section: "s", id: "a", path: "a.yaml", value: PackedValue([:]))
    let list = ListRow(section: "s", id: "b", path: "b.yaml", value: PackedValue(.list([])))
    func isList(_ sections: [SectionID], _ rows: [ListRow]) -> Bool {
      ListSnapshot<Item>(restoring: sections.map { ($0, nil) }, rows: rows, request: FetchRequest()) != nil
    }
    #expect(isList(["s"], [row]))
    #expect(isList([], []))
    #expect(!isList(["s"], [row, row]))
    #expect(!isList(["t"], [row]))
    #expect(!isList(["s", "s"], [row]))
    #expect(!isList(["s"], [list]))
  }
}
