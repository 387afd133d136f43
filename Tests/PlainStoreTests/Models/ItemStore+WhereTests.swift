import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values

@testable import Query

/// Changes to all items that a predicate matches.
struct ItemStoreWhereTests {
  private struct Todo: PlainModel {
    var id: String
    var title: String
    var isDone = false
    static let defaults: Fields = ["isDone": false]
  }

  private static let files = [
    "a.yaml": "title: A # keep\nisDone: true\n", "b.yaml": "title: B\n", "c.yaml": "title: C\nisDone: true\n",
    "other/d.yaml": "title: D\nisDone: true\n",
  ]

  @Test func `an update changes the models that match, and no byte of others`() async throws {
    let folder = try TemporaryFolder(ItemStoreWhereTests.files)
    let store = try await ItemStore.open(folder.path, watching: false)
    var updates = try store.list().updates.makeAsyncIterator()
    _ = await updates.next()
    let report = try await store.update(of: Todo.self, where: "isDone = \(true) AND @dir = ''") {
      $0.title += "!"
    }
    #expect(report.outcomes.map(\.id) == ["a", "c"])
    #expect(try folder.text(of: "a.yaml") == "title: A! # keep\nisDone: true\n")
    #expect(try folder.text(of: "c.yaml") == "title: C!\nisDone: true\n")
    #expect(try folder.text(of: "b.yaml") == "title: B\n")
    #expect(try folder.text(of: "other/d.yaml") == "title: D\nisDone: true\n")
    #expect(await updates.next()?.changes.map(\.id) == ["a", "c"])
    try await store.save(report.inverse)
    #expect(try folder.text(of: "a.yaml") == "title: A # keep\nisDone: true\n")
  }

  @Test func `defaults of the model count for the predicate`() async throws {
    let store = try await ItemStore.temporary(ItemStoreWhereTests.files)
    try await store.update(of: Todo.self, where: "isDone = \(false)") { $0.isDone = true }
    #expect(try store.count(of: Todo.self, where: "isDone = \(true)") == 4)
  }

  @Test func `items of a folder are edited and deleted without a type`() async throws {
    let store = try await ItemStore.temporary(ItemStoreWhereTests.files)
    try await store.update(in: "other/", where: "isDone = \(true)", [.set("late", true)])
    #expect(try store.fetch(where: "late = \(true)").map(\.id) == ["other/d"])
    let report = try await store.delete(where: "isDone = \(true)")
    #expect(report.outcomes.map(\.id) == ["a", "c", "other/d"])
    #expect(try store.fetch().map(\.id) == ["b"])
    #expect(try await store.delete(of: Todo.self, where: "isDone = \(true)").outcomes.isEmpty)
  }

  @Test func `a predicate that was probably meant differently deletes nothing`() async throws {
    let store = try await ItemStore.temporary(ItemStoreWhereTests.files)
    // A misspelled field is missing in every item, so this would be true for all of them.
    let predicates: [ItemPredicate] = [
      "isDnoe != \(true)", "title != A", "title >", "isDone = \(true) OR \("x") >",
    ]
    for predicate in predicates {
      func fails(_ body: () async throws -> Void) async -> Bool {
        do { try await body() } catch { return error is any PlainStoreError }
        return false
      }
      #expect(await fails { try await store.delete(where: predicate) }, "\(predicate)")
      #expect(await fails { try await store.update(where: predicate, [.set("x", 1)]) }, "\(predicate)")
      #expect(await fails { try await store.delete(of: Todo.self, where: predicate) }, "\(predicate)")
    }
    await #expect(throws: StoreError.self) { try await store.delete(in: "", where: "isDone = \(true)") }
    let error = await #expect(throws: StoreError.self) { try await store.delete(where: "isDnoe != \(true)") }
    #expect(error?.code == .malformed)
    #expect(error?.advice == "Did you mean `isDone`?")
    #expect(try store.count() == 4)
  }

  @Test func `an item that no longer matches when it is written stays as it is`() async throws {
    let folder = try TemporaryFolder(ItemStoreWhereTests.files)
    let store = try await ItemStore.open(folder.path)
    var runs = 0
    let report = try await store.update(of: Todo.self, where: "isDone = \(true)") { todo in
      runs += 1
      // Another program finishes its change between the reading and the writing of this item.
      if runs == 1 { try folder.write("title: Other\nisDone: false\n", to: "c.yaml") }
      todo.title += "!"
    }
    #expect(try folder.text(of: "c.yaml") == "title: Other\nisDone: false\n")
    #expect(report.outcomes.map(\.id) == ["a", "other/d"])
    #expect(try folder.text(of: "a.yaml") == "title: A! # keep\nisDone: true\n")
  }

  @Test func `an item that is gone or different meanwhile is no conflict`()
    async throws
  {
    let folder = try TemporaryFolder(ItemStoreWhereTests.files)
    let store = try await ItemStore.open(folder.path, watching: false)
    // The store does not see these changes before it saves.
    try folder.write("title: C\nisDone: false\n", to: "c.yaml")
    let report = try await store.update(where: "isDone = \(true)", [.set("late", true)])
    #expect(report.outcomes.map(\.id) == ["a", "other/d"])
    #expect(try folder.text(of: "c.yaml") == "title: C\nisDone: false\n")
  }

  @Test func `ids of a model are compared with @id as they are written`() async throws {
    struct Session: PlainModel {
      var id: UUID
      var user: String
    }
    let store = try await ItemStore.temporary()
    let sessions = (0..<3).map { Session(id: UUID(), user: "u\($0)") }
    try await store.save(sessions)
    try await store.delete(of: Session.self, where: "@id != \(sessions[1].id)")
    #expect(try store.fetch(of: Session.self).map(\.user) == ["u1"])
    #expect(try store.count(where: "@id IN \(sessions.map(\.id))") == 1)
    #expect(try store.count(where: "@id = \(7)") == 0)
    try await store.insert("7", fields: ["n": 1])
    #expect(try store.count(where: "@id = \(7)") == 1)
    #expect(try store.count(where: "@id IN \([7, 8])") == 1)
  }

  @Test func `an item that is named twice is changed once`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "title: A\n"])
    let report = try await store.update(["a", "a"], as: Todo.self) { $0.title += "!" }
    #expect(report.outcomes.count == 1)
    #expect(try store.object("a", as: Todo.self)?.title == "A!")
  }

  @Test func `a matching file that is not such a model stops everything`() async throws {
    let store = try await ItemStore.temporary(["a.yaml": "title: A\n", "b.yaml": "title: [1]\n"])
    await #expect(throws: Problem.self) { try await store.delete(of: Todo.self, where: "isDone = \(false)") }
    #expect(try store.count() == 2)
  }
}
