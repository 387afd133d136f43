@testable import Models
import Query
@testable import Store
import TestSupport
import Testing
import Values

private struct Todo: PlainModel {
  var id: String
  var title: String
  var rank: Int
}

@Suite(.timeLimit(.minutes(1)))
struct DraftTests {
  @Test func `a draft shows new items with the settings' defaults, in the folder's format`() async throws {
    let store = try await ItemStore.temporary([
      ".notes-watch.yaml": "defaults: {group: inbox}\n", "a.json": "{\"title\": \"A\"}", "b.json": "{}",
    ])
    var draft = store.makeEditScope()
    draft.insert("milk", fields: ["title": "Milk"])
    #expect(draft.item("milk")?.value(at: "group") == "inbox")
    #expect(draft.item("milk")?.path == "milk.json")
    try await store.save(draft)
    #expect(store.item("milk")?.path == "milk.json")
  }

  @Test(arguments: ["", "id-field: title\n"])
  func `a draft shows renamed items as the save leaves them`(settings: String) async throws {
    let store = try await ItemStore.temporary([
      ".notes-watch.yaml": settings, "a.yaml": "title: a\n", "b.yaml": "title: b\n", "c.yaml": "title: c\n",
    ])
    var draft = store.makeEditScope()
    draft.rename("a", to: "x")
    draft.update("x", [.set("rank", 1)])
    draft.rename("b", to: "c")
    draft.rename("c", to: "d")
    let shown = draft.list()
    #expect(shown.map(\.id) == ["b", "d", "x"])
    #expect(draft.item("x")?.value(at: "rank") == 1)
    #expect(draft.item("a") == nil)
    try await #expect(store.saveEach(draft).failures.map(\.code) == [.exists])
    #expect(store.list(FetchRequest()).snapshot.map(\.id) == shown.map(\.id))
    #expect(store.list(FetchRequest()).snapshot.map(\.path) == shown.map(\.path))
    #expect(store.list(FetchRequest()).snapshot.map(\.fields.value) == shown.map(\.fields.value))
    draft.rollback("x")
    #expect(draft.item("a")?.id == "a")
    #expect(draft.item("x") == nil)
  }

  @Test func `a typed list of a draft has its changes`() async throws {
    let store = try await ItemStore.temporary([
      "a/a.yaml": "title: A\nrank: 1\n", "a/b.yaml": "title: B\nrank: 2\n", "c.yaml": "x: 1\n",
    ])
    var draft = store.makeEditScope()
    try draft.update("a/a", as: Todo.self) { $0.rank = 5 }
    try draft.insert(Todo(id: "a/c", title: "C", rank: 4))
    #expect(
      try draft.fetch(of: Todo.self, in: "a/", where: "rank > \(3)", sort: "-rank").map(\.title) == [
        "A", "C",
      ])
    #expect(try store.list(of: Todo.self, in: "a/", where: "rank > \(3)").snapshot.count == 0)
  }
}
