import PlainText
import TestSupport
import Testing

@testable import PlainStore

struct ResultsSnapshotAggregatesTests {
  private static func todos() -> ResultsSnapshot {
    var store = FakeStore([
      "a": ["cost": .number(.double(0.1)), "due": "2026-11-20", "tags": ["home", "shop"], "n": 1],
      "b": ["cost": .number(.double(0.2)), "due": "2026-01-05", "tags": ["home"], "n": 2], "c": ["due": "2026-12-01", "n": 9007199254740993],
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
    let list = store.list(FetchRequest(sort: ["-n"], predicate: try ItemPredicate("n > 1"), limit: 1)).snapshot
    #expect(list.sum("n") == 4)
    #expect(list.min("n") == 4)
  }
}
