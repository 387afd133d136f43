@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// The users feed: immutable view models.
@Suite(.timeLimit(.minutes(1)))
struct LiveListMappedTests {
  private struct User: Decodable, Identifiable, Equatable {
    var id: String { name }
    var name: String
    var rating: Int
    var note: String?
  }

  private struct UserRow: Equatable {
    let title: String
    init(_ user: User) { title = user.name.uppercased() }
  }

  private static func users() throws -> TemporaryFolder {
    try TemporaryFolder(["ada.yaml": "name: Ada\nrating: 1\n", "bob.yaml": "name: Bob\nrating: 2\n"])
  }

  @Test func `an edit that leaves the view model equal is not an update, and moves still come`() async throws
  {
    let folder = try Self.users()
    let store = try ItemStore(at: folder.path)
    let rows = store.list(of: User.self, FetchRequest(sort: ["rating"])).mapped { UserRow($0) }
    #expect(rows.snapshot.map(\.title) == ["ADA", "BOB"])
    var updates = rows.updates.makeAsyncIterator()
    #expect(await updates.next()?.description == "+ ada at 0\n+ bob at 1")
    try folder.write("name: Ada\nrating: 1\nnote: new\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    try folder.write("name: Bob\nrating: 0\n", to: "bob.yaml")
    await store.scan(DirtyPaths(files: ["bob.yaml"]))
    let moved = try #require(await updates.next())
    #expect(moved.description == "> bob 1 → 0")
    #expect(moved.reconfigured == [])
    try folder.write("name: Bobby\nrating: 0\n", to: "bob.yaml")
    await store.scan(DirtyPaths(files: ["bob.yaml"]))
    let changed = try #require(await updates.next())
    #expect(changed.description == "~ bob at 0")
    #expect(changed.changes.map(\.element.title) == ["BOBBY"])
    #expect(changed.changes.map(\.before?.title) == ["BOB"])
  }

  @Test func `the closure runs once for each version of an object that is shown`() async throws {
    let calls = Mutex<[String]>([])
    let folder = try Self.users()
    let store = try ItemStore(at: folder.path)
    let rows = store.list(of: User.self, FetchRequest(sort: ["rating"], limit: 1)).mapped { user in
      calls.withLock { $0.append("\(user.name) \(user.rating)") }
      return UserRow(user)
    }
    var updates = rows.updates.makeAsyncIterator()
    _ = await updates.next()
    _ = Array(rows.snapshot) + Array(rows.snapshot)
    let old = rows.snapshot
    #expect(old.first?.title == "ADA")
    #expect(calls.withLock { $0 } == ["Ada 1"])
    try folder.write("name: Ada\nrating: 0\n", to: "ada.yaml")
    await store.scan(DirtyPaths(files: ["ada.yaml"]))
    _ = rows.snapshot[id: "ada"]
    rows.limit = nil
    #expect(await updates.next()?.changes.map(\.element.title) == ["BOB"])
    #expect(old.first?.title == "ADA")
    #expect(calls.withLock { $0 } == ["Ada 1", "Ada 0", "Bob 2"])
  }

  @Test func `a map of a map and of items is a list`() async throws {
    let folder = try Self.users()
    let store = try ItemStore(at: folder.path)
    let results = store.list(FetchRequest(sort: ["-rating"]))
    let names = results.mapped { $0.value(at: "name")?.text ?? "" }
    let lengths = names.mapped(\.count).mapped { $0 * 2 }
    #expect(Array(names.snapshot) == ["Bob", "Ada"])
    #expect(Array(lengths.snapshot) == [6, 6])
    let one = lengths.updates(of: "ada").makeAsyncIterator()
    var iterator = one
    #expect(await iterator.next() == 6)
    names.search = "ada"
    #expect(lengths.snapshot.count == 1)
    #expect(lengths.snapshot[id: "ada"] == 6)
    #expect(lengths.snapshot[id: "bob"] == nil)
    #expect(lengths.snapshot.sections.map { Array($0) } == [[6]])
  }

  @Test func `an object may be optional`() throws {
    let folder = try TemporaryFolder(["ada.yaml": "note: x\n", "bob.yaml": "{}\n"])
    let notes = try ItemStore(at: folder.path).list(FetchRequest()).mapped { $0.value(at: "note")?.text }
    #expect(Array(notes.snapshot) == ["x", nil])
    #expect(notes.snapshot[id: "bob"] == .some(nil))
  }

  @Test func `the closure may ask the list and the store`() async throws {
    let folder = try Self.users()
    let store = try ItemStore(at: folder.path)
    let users = store.list(of: User.self, FetchRequest())
    let rows = users.mapped { [weak users, weak store] user in
      "\(user.name) of \(users?.snapshot.count ?? 0) of \(store?.count ?? 0)"
    }
    #expect(try await withDeadline { Array(rows.snapshot) } == ["Ada of 2 of 2", "Bob of 2 of 2"])
  }

  /// An object whose end asks the list that made it.
  private final class Probe: Sendable, Equatable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
    static func == (a: Probe, b: Probe) -> Bool { a === b }
  }

  @Test func `an object that is released may ask the list`() async throws {
    let folder = try TemporaryFolder(["a.yaml": "n: 0\n"])
    let store = try ItemStore(at: folder.path)
    let released = Mutex(0)
    let list = Mutex<LiveList<Probe>?>(nil)
    let results = store.list(FetchRequest())
    let rows = results.mapped { _ in
      Probe {
        released.withLock { $0 += 1 }
        _ = list.withLock { $0 }.map { Array($0.snapshot) }
      }
    }
    list.withLock { $0 = rows }
    try await withDeadline {
      for number in 1...200 {
        _ = Array(rows.snapshot)
        try folder.write("n: \(number)\n", to: "a.yaml")
        await store.scan(DirtyPaths(files: ["a.yaml"]))
      }
    }
    #expect(released.withLock { $0 } > 100)
    list.withLock { $0 = nil }
  }

  @Test func `a mapped list gives what mapping each snapshot gives`() async throws {
    for seed in Randomness.seeds(10) {
      let note = Comment(rawValue: seedNote(seed))
      var random = SeededGenerator(seed: seed)
      var store = FakeStore()
      let results = store.list(FetchRequest(sort: ["rating"]))
      let rows = results.mapped { ($0.value(at: "rating")?.text ?? "").prefix(1) + "!" }
      var updates = rows.updates.makeAsyncIterator()
      var shown = try #require(await updates.next()).new.list
      for step in 0..<30 {
        for _ in 0...random.below(3) {
          let fields: Fields? = random.oneIn(4) ? nil : ["rating": .number(.integer(random.below(40)))]
          store.change(["i\(random.below(9))": fields])
        }
        // One change is certain, so that there is an update.
        store.change(["end": ["rating": .number(.integer(step % 2 == 0 ? 100 : 200))]])
        let update = try #require(await updates.next())
        shown = try shown.applying(update.diff)
        #expect(shown == update.new.list, note)
        let kept = update.new.list.itemIdentifiers.filter { update.old.list.contains($0) }
        let different = kept.filter { update.old[id: $0] != update.new[id: $0] }
        #expect(Set(different) == Set(update.reconfigured), note)
        #expect(
          Array(update.new)
            == ListSnapshot<Item>(update.new).map { ($0.value(at: "rating")?.text ?? "").prefix(1) + "!" },
          note)
      }
    }
  }
}
