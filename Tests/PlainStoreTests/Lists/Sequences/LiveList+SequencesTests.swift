import DiffableSnapshot
@testable import Models
@testable import Store
import Testing
import Values

@testable import Query

@Suite(.timeLimit(.minutes(1)))
struct LiveListSequencesTests {
  @Test func `updates begin with the list as it is, and applying them in order gives the list`() async throws
  {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    let results = store.list(FetchRequest(sort: ["n"], section: SectionDescriptor("n", order: ["0"])))
    var iterator = results.updates.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.old.count == 0)
    #expect(first.diff.sections.count == 3)
    #expect(first.new.text == "0:  | 1: a | 2: b")
    #expect(try first.old.list.applying(first.diff).itemIdentifiers == ["a", "b"])
    store.change(["a": nil])
    let second = try #require(await iterator.next())
    #expect(second.old.text == first.new.text)
    #expect(second.new.text == "0:  | 2: b")
  }

  @Test func `an empty list is reported, too`() async throws {
    var store = FakeStore()
    var iterator = store.list().updates.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.diff.isEmpty)
    #expect(first.new.count == 0)
    #expect(first.new.sections.map(\.id) == [""])
  }

  @Test func `a slow reader gets one step without what came and went in between`() async throws {
    var store = FakeStore(["a": ["n": 1]])
    let results = store.list()
    var slow = results.updates.makeAsyncIterator()
    var fast = results.updates.makeAsyncIterator()
    _ = (await slow.next(), await fast.next())
    var count = 0
    for step in 0..<50 {
      store.change(["b": ["n": .number(.integer(step))]])
      count += await fast.next() == nil ? 0 : 1
      store.change(["b": nil])
      count += await fast.next() == nil ? 0 : 1
    }
    store.change(["c": ["n": 1]])
    let update = try #require(await slow.next())
    #expect(count == 100)
    #expect(update.diff.changes.map(\.item) == ["c"])
  }

  @Test func `each change of an update has the old and the new value`() async throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    var iterator = store.list(FetchRequest(sort: ["n"])).updates.makeAsyncIterator()
    var said: [String] = []
    func take() async {
      guard let update = await iterator.next() else { return said.append("end") }
      for change in update.changes {
        let before = change.before?.value(at: "n")?.text ?? "-"
        let after = change.element.value(at: "n")?.text ?? "-"
        said.append("\(change.kind) \(change.id) \(before) \(after) \(update.origin)")
      }
    }
    await take()
    store.change(["a": ["n": 3], "b": nil, "c": ["n": 0]])
    await take()
    store.change(["a": ["n": -1]], origin: .git)
    await take()
    #expect(
      said == [
        "insert a - 1 view", "insert b - 2 view", "delete b - 2 files", "insert c - 0 files",
        "update a 1 3 files", "move a 3 -1 git",
      ])
  }

  @Test func `updates of one item begin with the item as it is, and are nil while it is not shown`()
    async throws
  {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    let results = store.list(FetchRequest(sort: ["n"], fields: ["n"]))
    var iterator = results.updates(of: "a").makeAsyncIterator()
    func next() async throws -> String { try #require(await iterator.next())?.value(at: "n")?.text ?? "gone" }
    #expect(try await next() == "1")
    // None of these changes what the list shows of the item.
    store.change(["a": ["n": 1, "m": 1]])
    store.change(["b": ["n": 0]])
    store.change(["c": ["n": 0]])
    results.sort = ["-n"]
    store.change(["a": ["n": 5]])
    #expect(try await next() == "5")
    results.search = "no such text"
    #expect(try await next() == "gone")
    results.search = ""
    #expect(try await next() == "5")
    store.change(["a": nil])
    #expect(try await next() == "gone")
  }

  @Test func `a sequence ends with its task, and with the results`() async throws {
    var store = FakeStore(["a": ["n": 1]])
    let results = store.list()
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      for await _ in results.updates {
        count += 1
        begin.yield()
      }
      return count
    }
    for await _ in began { break }
    task.cancel()
    #expect(await task.value == 1)
    var subscription: ListSubscription?
    do {
      let short = LiveList<Item>(store.state, request: FetchRequest())
      subscription = short.subscribe()
      #expect(await subscription?.next() != nil)
    }
    #expect(await subscription?.next() == nil)
  }

  @Test func `all of many readers get to the last state`() async throws {
    var store = FakeStore()
    let results = store.list(FetchRequest(sort: ["n"]))
    try await withThrowingTaskGroup(of: [Item.ID].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var list = Snapshot<SectionID, Item.ID>()
          for await update in results.updates {
            if list.numberOfSections == 0 { list = update.old.list }
            list = try list.applying(update.diff)
            if list.contains("last") { break }
          }
          return list.itemIdentifiers
        }
      }
      for number in 0..<200 { store.change(["i\(number % 20)": ["n": .number(.integer(number))]]) }
      store.change(["last": ["n": 0]])
      for try await ids in group { #expect(ids == results.snapshot.list.itemIdentifiers) }
    }
  }
}
