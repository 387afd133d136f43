import DiffableSnapshot
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct ListSnapshotOccurrencesTests {
  private static let byTag = FetchRequest(sort: ["n"], section: SectionDescriptor("tags", by: .element))

  @Test func `an item is in the section of each element of its list`() throws {
    var store = FakeStore([
      "ada": ["n": 2, "tags": .list(["red", "blue"])], "bob": ["n": 1, "tags": .list(["blue", "blue"])],
      "cleo": ["n": 0],
      "dora": ["tags": "red"],
    ])
    let snapshot = store.list(Self.byTag).snapshot
    #expect(snapshot.text == "blue: bob ada | red: ada dora | : cleo")
    #expect(snapshot.count == 5)
    #expect(snapshot.totalCount == 5)
    #expect(
      snapshot.list.itemIdentifiers.map(\.description) == [
        "bob [blue]", "ada [blue]", "ada [red]", "dora [red]", "cleo []",
      ])
    #expect(snapshot.item("ada")?.id == "ada")
    #expect(snapshot[id: Item.ID("ada", in: "red")]?.id == "ada")
    #expect(snapshot[id: Item.ID("ada", in: "green")] == nil)
    #expect(snapshot.place(of: "ada") == ListPlace(section: 0, item: 1))
    #expect(snapshot.section(of: "ada") == "blue")
    #expect(snapshot.places(of: "ada") == [ListPlace(section: 0, item: 1), ListPlace(section: 1, item: 0)])
    #expect(snapshot.place(of: Item.ID("ada", in: "red")) == ListPlace(section: 1, item: 0))
    #expect(snapshot.section(of: Item.ID("ada", in: "red")) == "red")
    #expect(snapshot.index(of: "ada") == 1)
    #expect(snapshot.index(of: "nobody") == nil)
    #expect(snapshot.map(\.id) == ["bob", "ada", "ada", "dora", "cleo"])
    #expect(snapshot.sections.map { $0.map(\.id) } == [["bob", "ada"], ["ada", "dora"], ["cleo"]])
  }

  @Test func `an edit of an item is an update of each occurrence`() async throws {
    var store = FakeStore([
      "ada": ["n": 2, "tags": .list(["red", "blue"])], "bob": ["n": 1, "tags": .list(["blue"])],
    ])
    let list = store.list(Self.byTag)
    let follower = Follower(list)
    var ada = list.updates(of: "ada").makeAsyncIterator()
    var inRed = list.updates(of: Item.ID("ada", in: "red")).makeAsyncIterator()
    #expect(try #require(await ada.next())?.id == "ada")
    #expect(try #require(await inRed.next())?.id == "ada")
    _ = follower.next()
    store.change(["ada": ["n": 3, "tags": .list(["red", "blue"])]])
    #expect(follower.next() == "files: ~ada [blue]@1 ~ada [red]@0")
    #expect(try #require(await ada.next())?.value(at: "n") == 3)
    #expect(try #require(await inRed.next())?.value(at: "n") == 3)
    store.change(["ada": ["n": 0, "tags": .list(["blue", "green"])]])
    #expect(follower.next() == "files: [-red@1] [+green@1] -ada [red](filtered) *ada [blue]@0 +ada [green]@0")
    #expect(try #require(await ada.next())?.value(at: "n") == 0)
    #expect(try #require(await inRed.next()) == nil)
    store.change(["bob": ["n": 5, "tags": .list(["blue"])]])
    store.change(["ada": nil])
    #expect(follower.next()?.contains("-ada [green](removed)") == true)
    #expect(try #require(await ada.next()) == nil)
  }

  @Test func `an id of an occurrence has an item and a section`() {
    let id = Item.ID("a b/50% off", in: "x\0y")
    #expect(id.item == Item.ID("a b/50% off"))
    #expect(id.section == "x\0y")
    #expect(id.description == "a b/50%25 off [x\0y]")
    #expect(id.text == "a b/50% off")
    #expect(Item.ID(id, in: "z") == Item.ID("a b/50% off", in: "z"))
    #expect(id != Item.ID("a b/50% off", in: "x"))
    let plain: Item.ID = "ada [red]"
    #expect(plain.item == plain)
    #expect(plain.section == nil)
    #expect(plain != Item.ID("ada", in: "red"))
    for text in ["\0", "\0a", "\0a\0b", "%00a%00b"] {
      #expect(Item.ID(printed: text).section == nil)
      #expect(Item.ID(text).section == nil)
    }
  }

  @Test func `sections by first letter are capitals in one encoding, and the rest is last`() {
    var store = FakeStore([
      "a": ["name": "élan"], "b": ["name": "e\u{301}té"], "c": ["name": "Zoe"], "d": ["name": "7up"],
      "e": [:], "f": ["name": "  ada"],
      "g": ["name": "ßeta"], "h": ["name": "日本"], "i": ["name": 3], "j": ["name": "ǆ"],
    ])
    let results = store.list(FetchRequest(section: SectionDescriptor("name", by: .firstLetter)))
    #expect(results.snapshot.text == "A: f | É: a b | S: g | Z: c | ǅ: j | 日: h | #: d e i")
    results.section = SectionDescriptor("name", by: .firstLetter, descending: true, order: ["Z"])
    #expect(results.snapshot.text == "Z: c | 日: h | ǅ: j | S: g | É: a b | A: f | #: d e i")
    #expect(results.snapshot.sectionIndexTitles == ["Z", "日", "ǅ", "S", "É", "A", "#"])
  }

  @Test func `models are found by the ids of occurrences`() async throws {
    struct Tagged: Decodable, Equatable { var tags: [String] }
    let folder = try TemporaryFolder(["ada.yaml": "tags: [red, blue]\n"])
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Tagged.self, FetchRequest(section: SectionDescriptor("tags", by: .element)))
    #expect(list.snapshot.map(\.tags) == [["red", "blue"], ["red", "blue"]])
    #expect(list.snapshot[id: "ada"]?.tags == ["red", "blue"])
    var updates = list.updates(after: nil).makeAsyncIterator()
    try folder.write("tags: [blue, green]\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    let update = try #require(await updates.next())
    #expect(
      update.changes.map(\.description) == ["- ada from red[0]", "+ ada at green[0]", "~ ada at blue[0]"])
    #expect(update.changes.map(\.element.tags) == [["red", "blue"], ["blue", "green"], ["blue", "green"]])
    #expect(store.item(Item.ID("ada", in: "blue"))?.id == "ada")
  }

  @Test func `an edit by the id of an occurrence is an edit of its item`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "tags: [red]\nn: 1\n"])
    let store = try ItemStore(at: folder.path)
    let row = try #require(store.list(Self.byTag).snapshot.list.itemIdentifiers.first)
    #expect(row.section == "red")
    try await store.update(row, [.set("n", 2)])
    #expect(try folder.text(of: "ada.yaml") == "tags: [red]\nn: 2\n")
    try await store.delete(row)
    #expect(store.count == 0)
  }
}
