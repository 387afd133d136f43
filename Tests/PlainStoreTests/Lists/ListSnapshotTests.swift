import DiffableSnapshot
import Files
@testable import Store
import Testing
import Values

@testable import Query

struct ListSnapshotTests {
  @Test func `sections have titles and counts, and objects have places`() {
    var store = FakeStore(["a": ["g": "x", "n": 2], "b": ["g": "x", "n": 1], "c": ["n": 1]])
    let section = SectionDescriptor("g", order: ["x", "none"], titles: ["x": "Ex", "none": "Nobody"])
    let snapshot = store.list(FetchRequest(sort: ["n"], section: section)).snapshot
    #expect(snapshot.count == 3)
    #expect(snapshot.sections.map(\.id) == ["x", "none", ""])
    #expect(snapshot.sections.map(\.title) == ["Ex", "Nobody", nil])
    #expect(snapshot.sections.map(\.count) == [2, 0, 1])
    #expect(snapshot.items(in: "x").map(\.id) == ["b", "a"])
    #expect(snapshot.items(in: "nowhere").isEmpty)
    #expect(snapshot.map(\.id) == ["b", "a", "c"])
    #expect(snapshot.place(of: "a") == ListPlace(section: 0, item: 1))
    #expect(snapshot.section(of: "a") == "x")
    #expect(snapshot[ListPlace(section: 2, item: 0)]?.id == "c")
    #expect(snapshot.item("a")?.value(at: "n") == 2)
  }

  @Test func `a list without sections has one section, even if it is empty`() {
    var store = FakeStore()
    let snapshot = store.list(FetchRequest()).snapshot
    #expect(snapshot.sections.map(\.id) == [""])
    #expect(snapshot.count == 0)
    #expect(snapshot.isEmpty)
    let sectioned = store.list(FetchRequest(section: SectionDescriptor("g"))).snapshot
    #expect(sectioned.sections.isEmpty)
  }

  @Test func `problems come in the order of their paths, in bytes`() {
    var store = FakeStore()
    store.change([:], problems: ["b.md": "No.", "\u{1}.md": "No.", "$.md": "No."])
    #expect(store.list().snapshot.problems.map(\.path) == ["\u{1}.md", "$.md", "b.md"])
  }

  @Test func `unknown fields are listed once, in the request's order`() throws {
    var store = FakeStore(["a": ["n": .null], "b": ["m": .map(["x": 1])]])
    let request = FetchRequest(
      sort: ["typo", "n", "@size"], section: SectionDescriptor("g"),
      predicate: ItemPredicate("m.x = 1 AND m.y = 2"),
      searchFields: ["typo", "s"], fields: ["f", "m"])
    #expect(store.list(request).snapshot.unknownFields() == ["typo", "g", "m.y", "s", "f"])
    #expect(store.list(request).snapshot.unknownFields(max: 2) == ["typo", "g"])
    // An empty store has no fields, so none is unknown.
    store = FakeStore()
    #expect(store.list(request).snapshot.unknownFields() == [])
  }
}
