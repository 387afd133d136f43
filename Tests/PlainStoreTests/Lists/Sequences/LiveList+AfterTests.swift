import DiffableSnapshot
@testable import Models
@testable import Store
import TestSupport
import Testing
import Values
import Watch

@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct LiveListAfterTests {
  @Test func `a sequence after a snapshot begins with the difference to the newest list`() async throws {
    var store = FakeStore(["ada": ["n": 1]])
    let results = store.list(FetchRequest(sort: ["n"]))
    let shown = results.snapshot
    store.change(["bob": ["n": 0]])
    store.change(["cleo": ["n": 2], "ada": nil])
    var updates = results.updates(after: shown).makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.old.text == "ada")
    #expect(first.new.text == "bob cleo")
    #expect(!first.isInitial)
    store.change(["bob": ["n": 9]])
    let second = try #require(await updates.next())
    #expect(second.old.text == "bob cleo")
    #expect(second.new.text == "cleo bob")
  }

  @Test func `a sequence of updates begins at the call and not with its loop`() async throws {
    var store = FakeStore(["ada": ["n": 1]])
    let results = store.list(FetchRequest(sort: ["n"]))
    let updates = results.updates(after: nil)
    store.change(["bob": ["n": 0]])
    var iterator = updates.makeAsyncIterator()
    store.change(["cleo": ["n": 2]], origin: .git)
    let first = try #require(await iterator.next())
    #expect(first.changes.map(\.description) == ["+ bob at 0", "+ cleo at 2"])
    // Each loop begins at the call.
    var second = updates.makeAsyncIterator()
    #expect(try #require(await second.next()).new.text == "bob ada cleo")
    var third = updates.makeAsyncIterator()
    store.change(["ada": nil])
    let update = try #require(await third.next())
    #expect(update.old.text == "ada")
    #expect(update.new.text == "bob cleo")
  }

  @Test func `a sequence after the newest snapshot waits for a change`() async throws {
    var store = FakeStore(["ada": ["n": 1]])
    let results = store.list(FetchRequest(sort: ["n"]))
    var updates = results.updates(after: results.snapshot).makeAsyncIterator()
    store.change([:])
    results.search = "ada"
    store.change(["ada": ["n": 2]])
    let update = try #require(await updates.next())
    #expect(update.diff.changes.count == 1)
    #expect(update.new.request.search == "ada")
  }

  @Test func `a snapshot of another request or another list is a valid start`() async throws {
    var store = FakeStore(["ada": ["n": 1], "bob": ["n": 2]])
    let results = store.list(FetchRequest(sort: ["n"]))
    let other = store.list(FetchRequest(sort: ["-n"], section: SectionDescriptor("n"))).snapshot
    var updates = results.updates(after: other).makeAsyncIterator()
    let update = try #require(await updates.next())
    #expect(try other.list.applying(update.diff) == results.snapshot.list)
  }

  @Test(arguments: Randomness.seeds(20))
  func `nothing is lost between a snapshot and the loop after it while another task writes`(seed: UInt64)
    async throws
  {
    let folder = try TemporaryFolder(["i0.yaml": "n: 0"])
    let store = try ItemStore(at: folder.path)
    let results = store.list(FetchRequest(sort: ["n"]))
    try await withDeadline {
      let writer = Task {
        var random = SeededGenerator(seed: seed)
        for round in 1...60 {
          try folder.write("n: \(round)", to: "i\(random.below(8)).yaml")
          await store.scan(DirtyPaths(subtrees: [.root]))
        }
        try folder.write("n: -1", to: "last.yaml")
        await store.scan(DirtyPaths(files: ["last.yaml"]))
      }
      for _ in 0..<5 {
        let shown = results.snapshot
        await Task.yield()
        var list = shown.list
        for await update in results.updates(after: shown) {
          #expect(update.old.list == list, "\(seedNote(seed))")
          list = try list.applying(update.diff)
          #expect(update.new.list == list, "\(seedNote(seed))")
          break
        }
        if results.snapshot[id: "last"] != nil { break }
      }
      try await writer.value
      let final = results.snapshot
      var updates = results.updates(after: final).makeAsyncIterator()
      try folder.remove("last.yaml")
      await store.scan(DirtyPaths(files: ["last.yaml"]))
      #expect(await updates.next()?.changes.map(\.description) == ["- last from 0"])
    }
  }

  @Test func `a typed list has the same sequences`() async throws {
    struct Rated: Decodable, Equatable { var n: Int }
    let folder = try TemporaryFolder(["ada.yaml": "n: 1"])
    let store = try ItemStore(at: folder.path)
    let list = store.list(of: Rated.self, FetchRequest())
    let shown = list.snapshot
    let (updates, later) = (list.updates(after: shown), list.updates(after: nil))
    try folder.write("n: 2", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    var first = updates.makeAsyncIterator()
    #expect(await first.next()?.changes.map(\.element) == [Rated(n: 2)])
    var second = later.makeAsyncIterator()
    #expect(await second.next()?.changes.map(\.before) == [Rated(n: 1)])
  }
}
