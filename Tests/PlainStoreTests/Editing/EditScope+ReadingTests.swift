import Files
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

private struct Todo: PlainModel {
  var id: String
  var title: String
  var isDone: Bool?
}

@Suite(.timeLimit(.minutes(1)))
struct EditScopeReadingTests {
  @Test func `a draft shows its changes and the store does not`() async throws {
    let store = try await ItemStore.temporary(["milk.yaml": "title: Milk\n", "eggs.yaml": "title: Eggs\n"])
    var draft = store.makeEditScope()
    draft.update("milk", [.set("title", "Oat milk")])
    try draft.save(Todo(id: "tea", title: "Tea"))
    draft.delete("eggs")
    #expect(draft.item("milk")?.value(at: "title") == "Oat milk")
    #expect(draft.item("eggs") == nil)
    #expect(try draft.object("tea", as: Todo.self) == Todo(id: "tea", title: "Tea"))
    #expect(draft.list(FetchRequest(sort: ["-title"])).map(\.id) == ["tea", "milk"])
    #expect(store.item("milk")?.value(at: "title") == "Milk")
    #expect(store.count == 2)
    // A copy is another draft.
    var copy = draft
    copy.rollback("tea")
    #expect(copy.item("tea") == nil)
    #expect(draft.item("tea")?.id == "tea")
    copy.rollback()
    #expect(!copy.hasChanges)
    #expect(copy.item("eggs")?.id == "eggs")
    try await store.save(draft)
    #expect(store.list(FetchRequest()).snapshot.map(\.id) == ["milk", "tea"])
  }

  @Test func `changes to models in a draft add up`() async throws {
    let store = try await ItemStore.temporary(["milk.yaml": "title: Milk  # 1 l\n"])
    var draft = store.makeEditScope()
    try draft.update("milk", as: Todo.self) { $0.isDone = true }
    try draft.update("milk", as: Todo.self) { $0.title += "!" }
    try draft.insert(Todo(id: "tea", title: "Tea"))
    try draft.save(Todo(id: "tea", title: "Green tea"))
    try draft.insert(Todo(id: "eggs", title: "Eggs"))
    draft.delete("eggs")
    try await store.save(draft)
    #expect(try store.object("milk", as: Todo.self) == Todo(id: "milk", title: "Milk!", isDone: true))
    #expect(try store.object("tea", as: Todo.self) == Todo(id: "tea", title: "Green tea"))
    #expect(store.count == 2)
  }

  @Test func `a draft without a store shows nothing`() {
    var draft = EditScope()
    draft.insert("a", fields: ["n": 1])
    #expect(draft.item("a") == nil)
    #expect(draft.list().count == 0)
  }

  @Test(arguments: ["", "id-field: key\n"])
  func `a draft shows what the store shows after its save`(settings: String) async throws {
    var changes = 0
    for seed in Randomness.seeds(6) {
      var random = SeededGenerator(seed: seed)
      let names = ["a", "b", "c", "d", "e", "f/g"]
      var files = [".notes-watch.yaml": settings]
      for name in names.dropLast() where random.oneIn(2) {
        files["\(name).\(random.one(of: ["yaml", "json", "md"]))"] = nil
        files["\(name).yaml"] = "key: \(name)\ntitle: T\(random.below(3))\nlist: [1, 2]\n"
      }
      let store = try await ItemStore.temporary(files, watching: false)
      var draft = store.makeEditScope()
      for _ in 0..<1 + random.below(8) {
        let id = Item.ID(random.one(of: names))
        switch random.below(7) {
        case 0: draft.delete(id)
        case 1:
          draft.insert(
            id, fields: ["key": .string(id.description), "title": "new"],
            format: random.one(of: [.yaml, .json, .markdown]))
        case 2: draft.replace(id, with: Array("key: \(id)\ntitle: replaced\n".utf8))
        case 3: draft.update(id, [.set("title", .number(.integer(random.below(9))))])
        case 4: draft.update(id, [.append(3, to: "list"), .remove("title")])
        case 5: draft.update(id, [.set("key", .string(random.one(of: names)))])
        default: draft.rollback(id)
        }
      }
      let request = FetchRequest(sort: ["title", "-list.@count"])
      let shown = draft.list(request)
      for name in names {
        let listed = draft.list().item(Item.ID(name)).map { $0.fields.value }
        #expect(draft.item(Item.ID(name)).map { $0.fields.value } == listed, "\(seedNote(seed))")
      }
      changes += try await store.saveEach(draft).outcomes.count
      let saved = store.list(request).snapshot
      let note = Comment(
        rawValue: "\(seedNote(seed)) \(draft.changes.map { "\($0.id) \($0.act) \($0.edits)" })")
      #expect(shown.map(\.id) == saved.map(\.id), note)
      #expect(shown.map(\.fields.value) == saved.map(\.fields.value), note)
    }
    #expect(changes > 0)
  }
}
