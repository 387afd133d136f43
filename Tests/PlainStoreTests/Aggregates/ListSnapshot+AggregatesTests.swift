@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

struct ListSnapshotAggregatesTests {
  private static func todos() -> ListSnapshot<Item> {
    var store = FakeStore([
      "a": ["cost": .number(.double(0.1)), "due": "2026-11-20", "tags": ["home", "shop"], "n": 1],
      "b": ["cost": .number(.double(0.2)), "due": "2026-01-05", "tags": ["home"], "n": 2],
      "c": ["due": "2026-12-01", "n": 9007199254740993],
      "d": ["cost": .null, "title": "x"],
    ])
    return store.list().snapshot
  }

  @Test func `numbers are exact, and missing values do not count`() {
    let todos = Self.todos()
    #expect(todos.sum("cost").text == "0.3")
    #expect(todos.sum("n") == 9007199254740996)
    #expect(todos.average("cost")?.text == "0.15")
    #expect(todos.min("cost")?.text == "0.1")
    #expect(todos.max("n") == 9007199254740993)
  }

  @Test func `dates compare by time, and lists by their elements`() {
    let todos = Self.todos()
    #expect(todos.min("due") == "2026-01-05")
    #expect(todos.max("due") == "2026-12-01")
    #expect(todos.max("tags") == "shop")
    #expect(todos.max("tags.@count") == 2)
  }

  @Test func `without values only the sum has a result`() {
    let todos = Self.todos()
    #expect(todos.sum("nothing") == 0)
    #expect(todos.average("nothing") == nil)
    #expect(todos.min("nothing") == nil)
    #expect(todos.max("title") == "x")
    #expect(todos.average("title") == nil)
  }

  @Test func `only the items of the list count`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 4]])
    let list = store.list(FetchRequest(sort: ["-n"], predicate: ItemPredicate("n > 1"), limit: 1))
      .snapshot
    #expect(list.sum("n") == 4)
    #expect(list.min("n") == 4)
  }

  @Test func `items are counted and grouped by value as sections are`() {
    var store = FakeStore([
      "a": ["v": .number(.literal("3.10")), "n": 1, "tags": ["x", "y"]],
      "b": ["v": .number(.literal("3.1")), "n": 2, "tags": ["y"]], "c": ["n": 3],
    ])
    let list = store.list(FetchRequest(sort: ["-n"])).snapshot
    #expect(list.counts(by: "v") == ["3.1": 2, "": 1])
    #expect(list.counts(by: "nothing") == ["": 3])
    #expect(list.grouped(by: "v").map(\.description) == ["3.1 [b, a]", "\"\" [c]"])
    let byTag = SectionDescriptor("tags", by: .element, order: ["y", "z"], titles: ["z": "Zed"])
    #expect(list.counts(by: byTag) == ["x": 1, "y": 2, "": 1])
    let groups = list.grouped(by: byTag)
    #expect(groups.map(\.description) == ["y [b, a]", "z []", "x [a]", "\"\" [c]"])
    #expect(groups.map(\.title) == [nil, "Zed", nil, nil])
    #expect(
      list.grouped(by: SectionDescriptor(by: { $0.id == "a" ? "first" : "rest" })).map(\.count) == [1, 2])
  }

  @Test func `an item that is in several sections counts once`() {
    var store = FakeStore(["a": ["n": 1, "tags": ["x", "y"]], "b": ["n": 2, "tags": ["y"]]])
    let list = store.list(FetchRequest(section: SectionDescriptor("tags", by: .element))).snapshot
    #expect(list.count == 3)
    #expect(list.sum("n") == 3)
    #expect(list.counts(by: "n") == ["1": 1, "2": 1])
    #expect(list.grouped(by: "n").map(\.count) == [1, 1])
  }

  @Test func `groups are what sections of the same rule are`() throws {
    for seed in Randomness.seeds(20) {
      var random = SeededGenerator(seed: seed)
      var store = FakeStore()
      for number in 0..<25 {
        let value: Value = random.one(of: [
          "x", "y", 3, .number(.double(3.5)), .null, ["x", "z"], "2024-01-02",
        ])
        store.change([
          "i\(number)": random.oneIn(5) ? ["n": 1] : ["g": value, "n": .number(.integer(random.below(4)))]
        ])
      }
      let section = SectionDescriptor(
        "g", by: random.one(of: [.value, .firstLetter, .element]), descending: random.oneIn(2), order: ["y"])
      let plain = store.list(FetchRequest(sort: ["n"])).snapshot
      let sectioned = store.list(FetchRequest(sort: ["n"], section: section)).snapshot
      #expect(
        plain.grouped(by: section).map(\.description) == sectioned.sections.map(\.description),
        "\(seedNote(seed))")
      let counts = plain.counts(by: section)
      #expect(sectioned.sections.allSatisfy { $0.count == counts[$0.id] ?? 0 }, "\(seedNote(seed))")
    }
  }
}
