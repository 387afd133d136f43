import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// To-dos: what is due, and how much there is to do.
@Suite(.timeLimit(.minutes(1)))
struct TodosAppTests {
  private struct Todo: PlainModel {
    var id: String
    var title: String
    var due: Date?
    var hours: Double
    var done: Bool
    static let defaults: Fields = ["done": false, "hours": 1]
  }

  private static func todos() throws -> (folder: TemporaryFolder, store: ItemStore) {
    let folder = try TemporaryFolder([
      "todos/shop.yaml": "title: Shop\ndue: 2026-11-20\nhours: 0.1\ntags: [home, food]\n",
      "todos/cook.yaml": "title: Cook\ndue: 2026-11-22\nhours: 0.2\ntags: [home]\n",
      "todos/rest.yaml": "title: Rest\n",
      "todos/old.yaml": "title: Old\ndone: true\nhours: 5\n", "notes/a.md": "# A note\n",
    ])
    return (folder, try ItemStore(at: folder.path))
  }

  @Test func `the badge counts what is due, and the footer sums up the hours`() throws {
    let (_, store) = try Self.todos()
    let today = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21
    #expect(try store.count(in: "todos", where: "done != \(true) AND due <= \(today)") == 1)
    let open = try store.list(of: Todo.self, in: "todos", where: "done = \(false)", sort: "due").snapshot
    #expect(open.map(\.title) == ["Shop", "Cook", "Rest"])
    #expect(open.sum("hours").text == "1.3")
    #expect(open.max("due") == "2026-11-22")
    #expect(open.min("due") == "2026-11-20")
    #expect(
      try store.fetch(in: "todos/", where: "done != \(true)").counts(
        by: SectionDescriptor("tags", by: .element))["home"] == 2)
  }

  @Test func `publishers of two lists report what changed in each`() async throws {
    let (folder, store) = try Self.todos()
    let open = try store.list(of: Todo.self, in: "todos", where: "done != \(true)", sort: "title")
    let done = try store.list(of: Todo.self, in: "todos", where: "done = \(true)", sort: "title")
    var (opened, closed) = (open.updates.makeAsyncIterator(), done.updates.makeAsyncIterator())
    #expect(await opened.next()?.new.count == 3)
    #expect(await closed.next()?.new.count == 1)
    try folder.write("title: Shop\ndue: 2026-11-20\ndone: true\n", to: "todos/shop.yaml")
    await store.scan(DirtyPaths(files: ["todos/shop.yaml"]))
    #expect(await opened.next()?.description == "- todos/shop from 2")
    #expect(await closed.next()?.description == "+ todos/shop at 1")
  }
}
