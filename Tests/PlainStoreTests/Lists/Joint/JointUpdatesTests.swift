import DiffableSnapshot
import Files
@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Query

@Suite(.timeLimit(.minutes(2)))
struct JointUpdatesTests {
  private struct Todo: Decodable, Equatable {
    var title: String
    var done: Bool
  }

  private static func open() throws -> FetchRequest {
    FetchRequest(predicate: ItemPredicate("done = false"))
  }
  private static func done() throws -> FetchRequest {
    FetchRequest(predicate: ItemPredicate("done = true"))
  }

  @Test func `each element has one update for each list that changed`() async throws {
    let folder = try TemporaryFolder([
      "buy.yaml": "title: Buy\ndone: false\n", "ask.yaml": "title: Ask\ndone: true\n",
    ])
    let store = try ItemStore(at: folder.path)
    let open = store.list(of: Todo.self, try Self.open())
    let done = store.list(try Self.done())
    var updates = store.updates(of: open, done).makeAsyncIterator()
    let first = try #require(await updates.next()).updates
    #expect(first.0?.isInitial == true)
    #expect(first.0?.changes.map(\.element) == [Todo(title: "Buy", done: false)])
    #expect(first.1?.cause == .first)
    #expect(first.1?.new.text == "ask")
    // A step of one list.
    try folder.write("title: Call\ndone: false\n", to: "call.yaml")
    await store.scan(DirtyPaths(files: ["call.yaml"]))
    let second = try #require(await updates.next()).updates
    #expect(second.0?.changes.map(\.description) == ["+ call at 1"])
    #expect(second.1 == nil)
    // An item that moves is in both.
    try folder.write("title: Buy\ndone: true\n", to: "buy.yaml")
    await store.scan(DirtyPaths(files: ["buy.yaml"]))
    let third = try #require(await updates.next()).updates
    #expect(third.0?.changes.map(\.description) == ["- buy from 0"])
    #expect(third.1?.changes.map(\.description) == ["+ buy at 1"])
    // A change of the view is an element, too.
    done.search = "ask"
    let fourth = try #require(await updates.next()).updates
    #expect(fourth.0 == nil)
    #expect(fourth.1?.cause == .view)
    // What changes no list is not.
    try folder.write("title: Ignored\n", to: "other.yaml")
    await store.scan(DirtyPaths(files: ["other.yaml"]))
    done.search = ""
    let fifth = try #require(await updates.next()).updates
    #expect(fifth.1?.changes.map(\.description) == ["+ buy at 1"])
  }

  @Test func `a slow reader gets several steps as one element`() async throws {
    let folder = try TemporaryFolder(["buy.yaml": "title: Buy\ndone: false\n"])
    let store = try ItemStore(at: folder.path)
    let (open, done) = (store.list(try Self.open()), store.list(try Self.done()))
    var updates = store.updates(of: open, done, open).makeAsyncIterator()
    _ = await updates.next()
    for isDone in [true, false, true] {
      try folder.write("title: Buy\ndone: \(isDone)\n", to: "buy.yaml")
      await store.scan(DirtyPaths(files: ["buy.yaml"]))
    }
    let element = try #require(await updates.next()).updates
    #expect(element.0?.diff.changes.count == 1)
    #expect(element.1?.diff.changes.count == 1)
    #expect(element.2?.diff.changes.count == 1)
  }

  @Test func `a sequence ends with its task`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "done: true\n"])
    let store = try ItemStore(at: folder.path)
    let list = store.list(FetchRequest())
    let (started, isStarted) = AsyncStream<Void>.makeStream()
    let reader = Task {
      var count = 0
      for await _ in store.updates(of: list) {
        count += 1
        isStarted.finish()
      }
      return count
    }
    for await _ in started {}
    reader.cancel()
    #expect(await reader.value == 1)
  }

  @Test(arguments: Randomness.seeds(8))
  func `an item that moves between two lists is always in exactly one of them`(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    for number in 0..<12 { try folder.write("title: T\ndone: \(number % 2 == 0)\n", to: "t\(number).yaml") }
    let store = try ItemStore(at: folder.path)
    let open = store.list(of: Todo.self, try Self.open())
    let done = store.list(try Self.done())
    let sequence = store.updates(of: open, done)
    try await withDeadline {
      let writers = (0..<2).map { writer in
        Task.detached {
          var random = SeededGenerator(seed: seed &+ UInt64(writer))
          for _ in 0..<80 {
            var files: Set<RelativePath> = []
            // Some move from one list to the other, and as many back.
            for _ in 0...random.below(3) {
              let path: RelativePath = random.one(
                of: (0..<6).map { RelativePath(bytes: "t\($0 * 2 + writer).yaml".utf8) })
              try folder.write("title: T\(random.below(9))\ndone: \(random.oneIn(2))\n", to: path.description)
              files.insert(path)
            }
            await store.scan(DirtyPaths(files: files))
          }
        }
      }
      let views = Task.detached {
        for round in 0..<200 {
          done.sort = round % 2 == 0 ? ["-title"] : ["title"]
          open.sort = round % 3 == 0 ? ["-title"] : []
          await Task.yield()
        }
      }
      let reader = Task.detached {
        var lists = (open: Snapshot<SectionID, Item.ID>(), done: Snapshot<SectionID, Item.ID>())
        var count = 0
        for await joint in sequence {
          let (first, second) = joint.updates
          count += 1
          if let first {
            if !first.isInitial { #expect(first.old.list == lists.open, "\(seedNote(seed))") }
            lists.open = first.new.list
          }
          if let second {
            if !second.isInitial { #expect(second.old.list == lists.done, "\(seedNote(seed))") }
            lists.done = second.new.list
          }
          let ids = lists.open.itemIdentifiers + lists.done.itemIdentifiers
          #expect(ids.count == 12, "\(seedNote(seed))")
          #expect(Set(ids).count == 12, "\(seedNote(seed))")
          if let first, let second {
            #expect(first.new.version == second.new.version, "\(seedNote(seed))")
          }
          if lists.open.contains("t0") && lists.open.contains("t1") && count > 3, Task.isCancelled { break }
        }
        return count
      }
      for writer in writers { try await writer.value }
      await views.value
      // The reader ends with the newest state.
      reader.cancel()
      #expect(await reader.value > 1)
    }
  }
}
