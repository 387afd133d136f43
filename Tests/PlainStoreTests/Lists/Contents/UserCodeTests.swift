import Foundation
import HashTreeCollections
@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values
import Watch

@testable import Query

/// Tests that user code runs outside of all locks and for admitted items only.
@Suite(.timeLimit(.minutes(1)))
struct UserCodeTests {
  private final class Box: Sendable {
    let list = Mutex<LiveList<Item>?>(nil)
    let calls = Mutex<[Item.ID]>([])

    /// Reads every part of the list, from code that the list calls.
    func ask(about item: Item? = nil) {
      if let item { calls.withLock { $0.append(item.id) } }
      guard let list = list.withLock(\.self) else { return }
      _ = (list.snapshot.count, list.request, list.search, list.subscribe(), list.snapshot.sections.count)
      list.limit = nil
    }

    func release() { list.withLock { $0 = nil } }
  }

  @Test func `a change of the request may ask the list`() async throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    let results = store.list(FetchRequest(sort: ["n"]))
    try await withDeadline {
      results.change {
        $0.search = results.search + "a"
        _ = results.snapshot
      }
    }
    #expect(results.snapshot.text == "a")
  }

  @Test func `functions that sort and make sections may ask their list`() async throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3]])
    let box = Box()
    let sort = ItemSortDescriptor(
      by: { item in
        box.ask()
        return item.value(at: "n")
      }, descending: true)
    let section = SectionDescriptor(by: { item in
      box.ask()
      return item.id == "b" ? "even" : "odd"
    })
    let results = store.list()
    box.list.withLock { $0 = results }
    defer { box.release() }
    let follower = Follower(results)
    _ = follower.next()
    try await withDeadline {
      results.sort = [sort]
      results.section = section
    }
    #expect(results.snapshot.text == "even: b | odd: c a")
    _ = follower.next()
    let change = { store.change(["d": ["n": 2], "c": ["n": 0]]) }
    change()
    #expect(results.snapshot.text == "even: b | odd: d a c")
    #expect(["files: +d@0 >c@2", "files: +d@0 *c@2"].contains(follower.next()))
  }

  @Test func `functions run for the items that match, once for each change`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3]])
    let box = Box()
    let sort = ItemSortDescriptor(by: { item in
      box.ask(about: item)
      return item.value(at: "n")
    })
    let results = store.list(FetchRequest(sort: [sort], predicate: ItemPredicate("n > 1")))
    func calls() -> Set<Item.ID> {
      let calls = box.calls.withLock { exchange(&$0, with: []) }
      #expect(Set(calls).count == calls.count)
      return Set(calls)
    }
    #expect(calls() == ["b", "c"])
    #expect(results.snapshot.text == "b c")
    store.change(["a": ["n": 0], "b": ["n": 9]])
    #expect(calls() == ["b"])
    #expect(results.snapshot.text == "c b")
    results.predicate = nil
    #expect(calls() == ["a"])
    #expect(results.snapshot.text == "a c b")
    results.search = "a"
    #expect(calls() == [])
    results.sort = ["n"]
    #expect(calls() == [])
    results.change { ($0.sort, $0.search) = ([sort, "n"], "") }
    #expect(calls() == ["a", "b", "c"])
  }

  @Test func `decoding may ask and change its own list when the predicate changes`() async throws {
    struct Asking: Decodable, Equatable {
      @TaskLocal static var box: Box?
      var n: Int
      init(from decoder: any Decoder) throws {
        n = try decoder.container(keyedBy: PathKey.self).decode(Int.self, forKey: PathKey(stringValue: "n"))
        Asking.box?.list.withLock(\.self)?.search = "\(n)"
        Asking.box?.ask()
      }
    }
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "b.yaml": "n: 2", "c.yaml": "x: 1"])
    let store = try ItemStore(at: folder.path)
    let results = store.list(of: Asking.self, FetchRequest(predicate: ItemPredicate("n = 1")))
    let box = Box()
    box.list.withLock { $0 = LiveList<Item>(results.shared) }
    defer { box.release() }
    let predicate = ItemPredicate("n > 0")
    try await withDeadline {
      Asking.$box.withValue(box) { results.predicate = predicate }
    }
    #expect(results.predicate == predicate)
    results.search = ""
    #expect(results.snapshot.map(\.n) == [1, 2])
    #expect(results.snapshot.problems.isEmpty)
  }

  @Test func `a model that asks its list when it is released does not end the process`() async throws {
    final class Released: Decodable, Equatable, Sendable {
      @TaskLocal static var box: Box?
      let n: Int
      let box = Released.box
      init(from decoder: any Decoder) throws {
        n = try decoder.container(keyedBy: PathKey.self).decode(Int.self, forKey: PathKey(stringValue: "n"))
      }
      deinit { box?.ask() }
      static func == (a: Released, b: Released) -> Bool { a.n == b.n }
    }
    let folder = try TemporaryFolder(["a.yaml": "n: 1", "b.yaml": "n: 2"])
    let store = try ItemStore(at: folder.path)
    let box = Box()
    let results = Released.$box.withValue(box) { store.list(of: Released.self, FetchRequest()) }
    box.list.withLock { $0 = LiveList<Item>(results.shared) }
    defer { box.release() }
    let subscription = results.subscribe()
    let predicate = ItemPredicate("n > 5")
    try await withDeadline {
      for round in 0..<5 {
        try folder.write("n: \(round + 7)", to: "a.yaml")
        await store.scan(DirtyPaths(files: ["a.yaml"]))
      }
      results.predicate = predicate
      try folder.remove("a.yaml")
      await store.scan(DirtyPaths(files: ["a.yaml"]))
      _ = subscription.consumeEvent()
    }
    #expect(results.snapshot.isEmpty)
  }

  @Test(arguments: Randomness.seeds(40))
  func `a list by functions equals a new one after any changes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var store = FakeStore()
    func item() -> Fields {
      [
        "n": .number(.integer(random.below(5))),
        "w": .string(random.one(of: ["red", "blue", "Élan", "7up"])),
      ]
    }
    for id in 0..<20 { store.change(["i\(id)": item()]) }
    let sorts: [[ItemSortDescriptor]] = [
      [], ["-n"],
      [
        ItemSortDescriptor(by: { $0.value(at: "w")?.text.count.description.first.map { .string(String($0)) } }
        )
      ],
      [ItemSortDescriptor(by: { $0.value(at: "n") }, descending: true), "w"],
      ["w", ItemSortDescriptor(by: { _ in nil }), "n"],
    ]
    let sections: [SectionDescriptor?] = [
      nil, SectionDescriptor("w", by: .firstLetter),
      SectionDescriptor(by: { $0.value(at: "n") == 2 ? nil : $0.value(at: "w")?.text }),
      SectionDescriptor(by: { $0.value(at: "n")?.text }, descending: true, order: ["3"]),
    ]
    let predicates = [nil, ItemPredicate("n > 1"), ItemPredicate("w CONTAINS 'e'")]
    let results = store.list(FetchRequest(sort: random.one(of: sorts)))
    let subscription = results.subscribe()
    var list = try #require(subscription.consumeStep()).new.list
    for round in 0..<40 {
      switch random.below(7) {
      case 0: results.sort = random.one(of: sorts)
      case 1: results.section = random.one(of: sections)
      case 2: results.predicate = random.one(of: predicates)
      case 3: results.show(random.one(of: [nil, 0..<5, -3..<4, 3..<12]))
      case 4: results.search = random.one(of: ["", "e", "red"])
      default:
        store.change([
          "i\(random.below(25))": random.oneIn(4) ? nil : item(), "i\(25 + random.below(5))": item(),
        ])
      }
      let note = "round \(round), \(results.request); \(seedNote(seed))"
      let predicate = results.predicate
      let holds: @Sendable (Item) -> Bool = { predicate?.matches($0, in: .now) ?? true }
      let expected = ListOracle(request: results.request, holds: holds).sections(of: store.state.items.values)
      let snapshot = results.snapshot
      #expect(snapshot.list.sectionIdentifiers == expected.map(\.id), "\(note)")
      #expect(
        expected.map { snapshot.list.itemIdentifiers(inSection: $0.id) } == expected.map(\.items), "\(note)")
      if let update = subscription.consumeStep()?.update { list = try list.applying(update.diff) }
      #expect(list == snapshot.list, "\(note)")
    }
  }
}
