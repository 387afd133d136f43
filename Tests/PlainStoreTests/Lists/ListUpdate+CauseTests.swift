@testable import Store
import TestSupport
import Testing
import Values
import Watch
import Streams

@testable import Folder
@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct ListUpdateCauseTests {
  @Test func `each update has a cause, also the first`() async throws {
    let folder = try TemporaryFolder([
      "ada.yaml": "n: 1", "bob.yaml": "n: 2", ".notes-watch.yaml": "views: {v: {sort: n}}",
    ])
    let store = try ItemStore(at: folder.path)
    let results = try store.list { settings throws(SettingsError) in try settings.view(named: "v").request
    }
    var updates = results.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.cause == .first)
    #expect(first.isInitial)
    try folder.write("n: 9", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    let second = try #require(await updates.next())
    #expect(second.cause == .changed)
    #expect(!second.isInitial)
    try folder.write("n: 0", to: "ada.yaml")
    await store.scan(DirtyPaths(subtrees: [.root]))
    #expect(await updates.next()?.cause == .rescanned)
    results.search = "bob"
    #expect(await updates.next()?.cause == .view)
    results.search = ""
    _ = await updates.next()
    try folder.write("views: {v: {sort: -n}}", to: ".notes-watch.yaml")
    await store.scan(DirtyPaths(files: [".notes-watch.yaml"]))
    #expect(await updates.next()?.cause == .view)
  }

  @Test func `a step below a folder is a change and not a rescan`() async throws {
    let folder = try TemporaryFolder(["d/ada.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    var updates = store.list(FetchRequest()).updates.makeAsyncIterator()
    _ = await updates.next()
    try folder.write("n: 9", to: "d/bob.yaml")
    await store.scan(DirtyPaths(subtrees: ["d"]))
    #expect(await updates.next()?.cause == .changed)
  }

  @Test func `a slow reader gets the cause of a rescan among its steps`() async throws {
    let folder = try TemporaryFolder(["ada.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    let results = store.list(FetchRequest(sort: ["n"]))
    var updates = results.updates(after: nil).makeAsyncIterator()
    try folder.write("n: 2", to: "bob.yaml")
    await store.scan(DirtyPaths(subtrees: [.root]))
    try folder.write("n: 3", to: "cleo.yaml")
    await store.scan(DirtyPaths(files: ["cleo.yaml"]))
    results.sort = ["-n"]
    #expect(await updates.next()?.cause == .rescanned)
    results.search = "ada"
    try folder.write("n: 0", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    #expect(await updates.next()?.cause == .view)
  }

  @Test(arguments: [
    (UpdateCause.view, UpdateCause.view, "view"), (.view, .changed, "view"),
    (.changed, .view, "view"),
    (.rescanned, .changed, "rescanned"), (.view, .rescanned, "rescanned"), (.resumed, .rescanned, "resumed"),
    (.changed, .resumed, "resumed"), (.resumed, .first, "first"),
  ])
  func `the cause of merged steps is the strongest one`(
    a: UpdateCause, b: UpdateCause, merged: String
  ) {
    #expect(a.merged(with: b).description == merged)
  }
}
