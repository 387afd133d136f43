import Files
import Foundation
@testable import Models
@testable import Store
import TestSupport
import Testing
import TextEdits
import Values

@testable import Folder
@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct ItemStoreSavingTests {
  private static let nine: [TextEdit] = [.set("rating", 9)]

  @Test(arguments: [false, true]) func `a save is one update of each list, and its event is not a second one`(
    watching: Bool
  )
    async throws
  {
    let folder = try TemporaryFolder([
      "a.yaml": "rating: 1\n", "b.yaml": "rating: 2\n", "c.yaml": "rating: 3\n",
    ])
    let store = try ItemStore(at: folder.path, watching: watching)
    let follower = Follower(store.list(FetchRequest(sort: ["rating"])))
    #expect(follower.next() == "snapshot a b c")
    var scope = store.makeEditScope()
    scope.update("a", Self.nine)
    scope.delete("b")
    scope.insert("e/new", fields: ["rating": 5])
    scope.update("c", [.set("rating", 3)])
    #expect(scope.hasChanges)
    #expect(scope.changes.map(\.id) == ["a", "b", "e/new", "c"])
    #expect(try await store.save(scope).isComplete)
    #expect(follower.next() == "files: -b(removed) +e/new@1 *a@2")
    guard watching else { return }
    // The event of this write comes after those of the store's own writes.
    try folder.write("rating: 7\n", to: "d.yaml")
    #expect(await follower.wait() == "files: +d@2")
    #expect(follower.next() == nil)
  }

  @Test func `a new item whose file would have too long a name leaves no problem`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\n"])
    let store = try ItemStore(at: folder.path)
    var scope = store.makeEditScope()
    scope.insert(Item.ID(printed: String(repeating: "n", count: 300)), fields: [:])
    let report = try await store.saveEach(scope)
    #expect(report.outcomes.map { $0.error?.code } == [.invalidID])
    await store.refresh()
    #expect(store.problems.isEmpty)
  }

  @Test func `a save waits for a locked folder no longer than a list may wait`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\n", "d/b.yaml": "rating: 2\n"])
    var options = StoreOptions()
    options.watch.maxWait = .milliseconds(10)
    let store = try ItemStore(at: folder.path, options: options)
    let root = try OpenFolder(folder.path)
    let other = try #require(try SaveFolder.open(.root, below: root))
    #expect(try other.lock(patience: .zero) == .held)
    var scope = store.makeEditScope()
    scope.update("a", Self.nine)
    scope.insert("c", fields: [:])
    scope.update("d/b", Self.nine)
    // An editor without lists would wait for a minute.
    let report = try await store.saveEach(scope)
    #expect(report.failures.map(\.code) == [.busy, .busy])
    #expect(store.item("d/b")?.value(at: "rating") == 9)
    withExtendedLifetime(other) {}
  }

  @Test func `one item is added, changed and deleted`() async throws {
    let folder = try TemporaryFolder()
    let store = try ItemStore(at: folder.path)
    try await store.insert("ada", fields: ["rating": 8], format: .json)
    #expect(store.item("ada")?.path == "ada.json")
    try await store.update("ada", Self.nine)
    #expect(store.item("ada")?.value(at: "rating") == 9)
    await #expect(throws: EditError.self) { try await store.insert("ada", fields: [:]) }
    try await store.delete("ada")
    #expect(store.count == 0)
    await #expect(throws: EditError.self) { try await store.delete("ada") }
  }

  @Test func `a change by another program since the scope was made is a conflict, and the store shows it`()
    async throws
  {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\nname: Ada\n"])
    let store = try ItemStore(at: folder.path)
    var scope = store.makeEditScope()
    try folder.write("rating: 2\nname: Ada\n", to: "a.yaml")
    scope.update("a", Self.nine)
    let report = try await store.saveEach(scope)
    #expect(report.failures.map(\.code) == [.conflict])
    #expect(report.failures[0].description.contains("(/rating)"))
    #expect(store.item("a")?.value(at: "rating") == 2)
    // The next scope reads what the store has now.
    try await store.update("a", Self.nine)
    #expect(store.item("a")?.value(at: "rating") == 9)
  }

  @Test func `a save throws an error with the report if a change failed`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\n"])
    let store = try ItemStore(at: folder.path)
    var scope = store.makeEditScope()
    scope.delete("nobody")
    scope.update("a", Self.nine)
    scope.delete("somebody")
    let error = await #expect(throws: SaveError.self) { try await store.save(scope) }
    #expect(error?.code == .notFound)
    #expect(error?.failures.map(\.id) == ["nobody", "somebody"])
    #expect(
      error?.report.outcomes.map(\.description) == [
        "nobody: failed (notFound)", "a: updated", "somebody: failed (notFound)",
      ])
    #expect(
      error.map { "\($0)" }
        == "2 of 3 changes were not saved. The first error: nobody: There is no item with this id.")
    #expect(try folder.text(of: "a.yaml") == "rating: 9\n")
  }

  @Test func `an update without edits fails if there is no such item`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\n", "b.yaml": "rating: 1\n"])
    let store = try ItemStore(at: folder.path)
    #expect(try await store.update("a", []).result == .unchanged)
    let error = await #expect(throws: EditError.self) { try await store.update("nobody", []) }
    #expect(error?.code == .notFound)
    // Neither does it create an item that was deleted in the meantime.
    try folder.remove("b.yaml")
    let gone = await #expect(throws: EditError.self) { try await store.update("b", [], policy: .overwrite) }
    #expect(gone?.code == .notFound)
    #expect(!folder.contains("b.yaml"))
  }

  @Test(arguments: MergePolicy.allCases)
  func `a change after a rename or a deletion of the same draft brings nothing back`(
    policy: MergePolicy
  ) async throws {
    let folder = try TemporaryFolder([
      "a.yaml": "rating: 1\n", "b.yaml": "rating: 2\n", "c.yaml": "rating: 3\n",
    ])
    let store = try ItemStore(at: folder.path)
    var draft = store.makeEditScope()
    draft.rename("a", to: "e")
    draft.update("a", Self.nine)
    draft.delete("b")
    draft.update("b", Self.nine)
    draft.rename("c", to: "f")
    draft.delete("c")
    let report = try await store.saveEach(draft, policy: policy)
    #expect(report.failures.map(\.code) == [.notFound, .notFound, .notFound])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["e.yaml", "f.yaml"])
    #expect(draft.list().map(\.id) == ["e", "f"])
  }

  @Test func `the merge policy of the options holds for saves that name none`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\nname: Ada\n"])
    var options = StoreOptions()
    options.mergePolicy = .mergeByPropertyObjectTrump
    let store = try ItemStore(at: folder.path, options: options)
    try folder.write("rating: 2\nname: Ada B\n", to: "a.yaml")
    #expect(try await store.update("a", Self.nine).result == .updated(isMerged: true))
    #expect(try folder.text(of: "a.yaml") == "rating: 9\nname: Ada B\n")
    let revision = try #require(store.item("a")).revision
    try folder.write("rating: 3\nname: Ada B\n", to: "a.yaml")
    var scope = EditScope()
    scope.update("a", [.set("rating", 4)], readAt: revision)
    #expect(
      try ItemEditor(root: folder.path, options: options).save(scope, policy: .rollback).outcomes.map(
        \.result) == [.discarded])
    #expect(
      try ItemEditor(root: folder.path, options: options).save(scope).outcomes.map(\.result) == [
        .updated(isMerged: true)
      ])
    try folder.write("rating: 5\nname: Ada B\n", to: "a.yaml")
    #expect(try ItemEditor(root: folder.path).saveEach(scope).failures.map(\.code) == [.conflict])
  }

  @Test func `a scope that is rolled back changes nothing`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "rating: 1\n"])
    let store = try ItemStore(at: folder.path)
    var scope = store.makeEditScope()
    scope.delete("a")
    scope.rollback()
    #expect(!scope.hasChanges)
    #expect(try await store.save(scope).outcomes.isEmpty)
    #expect(store.count == 1)
  }

  @Test func `simultaneous saves are all made, and nothing is lost`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "sum: 0\n"])
    let store = try ItemStore(at: folder.path, watching: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          var scope = EditScope()
          scope.update("a", [.set(FieldPath(keys: ["k\(number)"]), .number(.integer(number)))])
          scope.insert(Item.ID(printed: "new\(number)"), fields: ["number": .number(.integer(number))])
          try await store.save(scope)
          #expect(store.item(Item.ID(printed: "new\(number)")) != nil)
        }
      }
      try await group.waitForAll()
    }
    #expect(store.count == 9)
    #expect(
      (0..<8).allSatisfy { store.item("a")?.value(at: FieldPath(keys: ["k\($0)"])) == .number(.integer($0)) })
  }
}
