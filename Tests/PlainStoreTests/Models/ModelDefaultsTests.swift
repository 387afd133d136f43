import Models
import Store
import TestSupport
import Testing

/// The defaults of a model serve missing fields wherever a list reads a field, so that a list
/// agrees with the objects that it shows.
@Suite(.timeLimit(.minutes(1))) struct ModelDefaultsTests {
  struct Todo: PlainModel {
    var id: String
    var title: String
    var priority: Int
    var done: Bool
    var project: Project
    var tags: [String]

    struct Project: Codable, Equatable {
      var name: String
    }

    static let defaults: Fields = [
      "priority": 1, "done": false, "project": ["name": "Home"], "tags": ["new"],
    ]
  }

  private static func store() async throws -> ItemStore {
    try await ItemStore.temporary([
      "fence.yaml": "title: Mend the fence\npriority: 5\nproject: {name: Garden}\ntags: []\n",
      "kettle.yaml": "title: Descale the kettle\n",
      "seeds.yaml": "title: Order seeds\ndone: true\nproject: {code: 7}\n",
    ])
  }

  @Test func `a predicate sees the default of a missing field`() async throws {
    let store = try await Self.store()
    let open = try store.list(of: Todo.self, where: "done = false", sort: "title")
    #expect(open.snapshot.map(\.id) == ["kettle", "fence"])
    #expect(
      try store.fetch(of: Todo.self, where: "done = false", sort: "title").map(\.id) == ["kettle", "fence"])
    #expect(try store.count(of: Todo.self, where: "tags.@count = 1") == 2)
    try await store.update("seeds", [.remove("done")])
    #expect(open.snapshot.map(\.id) == ["kettle", "fence", "seeds"])
    #expect(open.snapshot.hints.isEmpty)
  }

  @Test func `the order, the sections and the search see the default of a missing field`() async throws {
    let store = try await Self.store()
    let list = try store.list(
      of: Todo.self, sort: "priority", "title", section: SectionDescriptor("project.name"))
    #expect(list.snapshot.sections.map(\.id) == ["Garden", "Home"])
    #expect(list.snapshot.map(\.id) == ["fence", "kettle", "seeds"])
    #expect(list.snapshot.counts(by: SectionDescriptor("tags", by: .element)) == ["": 1, "new": 2])
    #expect(list.snapshot.sum("priority") == 7)
    list.search = "home"
    #expect(list.snapshot.map(\.id) == ["kettle"])
    list.change { $0.searchFields = ["project.name"] }
    #expect(list.snapshot.map(\.id) == ["kettle", "seeds"])
  }

  @Test func `a list of items and a draft show what is in the files and in the models`() async throws {
    let store = try await Self.store()
    #expect(try store.list(where: "done = false").snapshot.isEmpty)
    var draft = store.makeEditScope()
    try draft.update("seeds", as: Todo.self) { $0.done = false }
    #expect(
      try draft.fetch(of: Todo.self, where: "done = false", sort: "title").map(\.id) == [
        "kettle", "fence", "seeds",
      ])
  }
}
