import DiffableSnapshot
import Files
import Foundation
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

@Suite(.timeLimit(.minutes(5)))
struct ListSubscriptionTests {
  private static let request = FetchRequest(sort: ["n"])

  @Test func `the first event is the snapshot as it is when it is asked for`() {
    var store = FakeStore(["a": ["n": 1]])
    let follower = Follower(store.list(ListSubscriptionTests.request))
    store.change(["b": ["n": 2]])
    #expect(follower.next() == "snapshot a b")
    #expect(follower.next() == nil)
  }

  /// Once, the command after `--` did not run for a change that came before its task first asked.
  @Test func `a change after the snapshot is a step, even if the first step is asked for late`() {
    var store = FakeStore(["a": ["n": 1]])
    let (snapshot, steps) = store.list(ListSubscriptionTests.request).snapshotAndSteps()
    #expect(Follower.text(.snapshot(snapshot)) == "snapshot a")
    store.change(["a": ["n": 2]])
    store.change(["b": ["n": 3]])
    #expect(steps.consumeEvent().map(Follower.text) == "files: +b@1 ~a@0")
  }

  @Test func `steps that were not consumed are one step`() {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    let follower = Follower(store.list(ListSubscriptionTests.request))
    _ = follower.next()
    store.change(["a": ["n": 3]])
    store.change(["b": nil], origin: .files)
    store.change(["c": ["n": 0]])
    // a is last again among those that stay, so it did not move.
    #expect(follower.next() == "files: -b(removed) +c@0 ~a@1")
  }

  @Test func `an item that came and went in between is never seen`() {
    var store = FakeStore(["a": ["n": 1]])
    let follower = Follower(store.list(ListSubscriptionTests.request))
    _ = follower.next()
    store.change(["b": ["n": 2]], problems: ["x.md": "No."])
    store.change(["a": ["n": 5]])
    store.change(["b": nil, "a": ["n": 1]], problems: ["x.md": nil])
    #expect(follower.next() == nil)
    store.change(["a": ["n": 2]])
    #expect(follower.next() == "files: ~a@0")
  }

  @Test func `problems come with their step in the order of their paths, and alone if nothing else changed`()
  {
    var store = FakeStore(["a": ["n": 1]])
    let follower = Follower(store.list(ListSubscriptionTests.request))
    _ = follower.next()
    store.change(["a": ["n": 2]], problems: ["z.md": "No.", "b.md": "No."])
    #expect(follower.next() == "files: ~a@0 raised b.md:1 raised z.md:1")
    store.change([:], problems: ["z.md": "Otherwise.", "b.md": nil])
    #expect(follower.next() == "cleared b.md raised z.md:1")
    store.change([:], problems: ["z.md": "Otherwise."])
    #expect(follower.next() == nil)
  }

  @Test func `merged steps of one origin keep it, and mixed ones have the origin files`() {
    var store = FakeStore(["a": ["n": 1]])
    let follower = Follower(store.list(ListSubscriptionTests.request))
    _ = follower.next()
    store.change(["a": ["n": 2]], origin: .git)
    store.change(["b": ["n": 3]], origin: .git)
    #expect(follower.next() == "git: +b@1 ~a@0")
    store.change(["a": ["n": 1]], origin: .git)
    follower.results.search = "a"
    #expect(follower.next() == "files: -b(filtered) ~a@0")
  }

  @Test func `a returned step comes again with the next one, not before`() {
    var store = FakeStore(["a": ["n": 1]])
    let follower = Follower(store.list(ListSubscriptionTests.request))
    follower.subscription.returnLastStep()
    _ = follower.next()
    follower.subscription.returnLastStep()
    #expect(follower.next() == nil, "the snapshot is no step")
    store.change(["b": ["n": 2]], problems: ["x.md": "No."])
    #expect(follower.next() == "files: +b@1 raised x.md:1")
    follower.subscription.returnLastStep()
    follower.subscription.returnLastStep()
    #expect(follower.next() == nil)
    store.change(["c": ["n": 0]])
    #expect(follower.next() == "files: +c@0 +b@2 raised x.md:1")
    // Again: the complete step, with what came since.
    follower.subscription.returnLastStep()
    store.change(["c": ["n": 3]])
    #expect(follower.next() == "files: +b@1 +c@2 raised x.md:1")
    store.change(["c": nil])
    #expect(follower.next() == "files: -c(removed)")
  }

  @Test func `a returned step is not given again for a change that is not shown`() {
    var store = FakeStore(["a": ["n": 1, "m": 1]])
    let follower = Follower(store.list(FetchRequest(sort: ["n"], fields: ["n"])))
    _ = follower.next()
    store.change(["b": ["n": 2]])
    #expect(follower.next() == "files: +b@1")
    follower.subscription.returnLastStep()
    store.change(["a": ["n": 1, "m": 2], "b": ["n": 2, "m": 2]])
    #expect(follower.next() == nil)
    store.change(["a": ["n": 0]])
    #expect(follower.next() == "files: +b@1 ~a@0")
  }

  @Test func `a returned step that is undone is never seen again`() {
    var store = FakeStore(["a": ["n": 1]])
    let follower = Follower(store.list(ListSubscriptionTests.request))
    _ = follower.next()
    store.change(["b": ["n": 2]])
    _ = follower.next()
    follower.subscription.returnLastStep()
    store.change(["b": nil])
    #expect(follower.next() == nil)
    store.change(["a": ["n": 2]])
    #expect(follower.next() == "files: ~a@0")
  }

  @Test func `subscribers are independent of each other`() {
    var store = FakeStore(["a": ["n": 1]])
    let list = store.list(ListSubscriptionTests.request)
    let early = Follower(list)
    _ = early.next()
    store.change(["b": ["n": 2]])
    let late = Follower(list)
    #expect(late.next() == "snapshot a b")
    store.change(["b": nil])
    #expect(early.next() == nil)
    #expect(late.next() == "files: -b(removed)")
  }

  @Test func `a subscription ends with its task`() async {
    var store = FakeStore(["a": ["n": 1]])
    let list = store.list(ListSubscriptionTests.request)
    let (seen, signal) = AsyncStream<Void>.makeStream()
    let task = Task {
      var count = 0
      for await _ in list.events {
        count += 1
        signal.yield()
      }
      return count
    }
    var iterator = seen.makeAsyncIterator()
    await iterator.next()
    task.cancel()
    #expect(await task.value == 1)
    // A task that is cancelled before it asks gets nothing.
    let subscription = list.subscribe()
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await subscription.next() == nil
    }
    #expect(await late.value)
  }

  @Test func `subscribers of a released list get what is left, and then the end`() async throws {
    var store = FakeStore(["a": ["n": 1]])
    let subscription = store.list(ListSubscriptionTests.request).subscribe()
    _ = await subscription.next()
    store.change(["b": ["n": 2]])
    store.releaseLists()
    #expect(try Follower.text(#require(await subscription.next())) == "files: +b@1")
    #expect(await subscription.next() == nil)
    #expect(await subscription.next() == nil)
  }

  @Test func `a waiting subscriber of a released list is woken`() async {
    for _ in 0..<100 {
      var store = FakeStore(["a": ["n": 1]])
      let subscription = store.list(ListSubscriptionTests.request).subscribe()
      let task = Task { () -> Int in
        var count = 0
        while await subscription.next() != nil { count += 1 }
        return count
      }
      await Task.yield()
      store.releaseLists()
      #expect(await task.value == 1)
    }
  }

  @Test func `tasks that share a subscription all continue and all end`() async {
    var store = FakeStore(["a": ["n": 0]])
    let subscription = store.list(ListSubscriptionTests.request).subscribe()
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { while await subscription.next() != nil {} } }
      for number in 1...50 {
        store.change(["a": ["n": .number(.integer(number))]])
        await Task.yield()
      }
      store.releaseLists()
    }
  }

  @Test func `each reader gets to the last state by exact steps, without a lost wake-up`() async throws {
    let last = 400
    var store = FakeStore(["end": ["n": 0]])
    let list = store.list(ListSubscriptionTests.request)
    let failures = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<24 {
        group.addTask { await ListSubscriptionTests.failure(of: list.events, upTo: last) }
      }
      for number in 1...last {
        store.change([
          "end": ["n": .number(.integer(number))],
          "\(number % 7)": number % 3 == 0 ? nil : ["n": .number(.integer(number))],
        ])
        if number % 5 == 0 { await Task.yield() }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    #expect(failures == [])
  }

  /// A wake-up can be lost only between the check and the wait, and that shows only if no other
  /// step follows. So there is one step at a time, right after the last one was consumed.
  @Test func `a reader that begins to wait while a step comes is woken`() async {
    let rounds = 2_000
    var store = FakeStore(["a": ["n": 0]])
    let zero = store.list(ListSubscriptionTests.request).snapshot
    store.change(["a": ["n": 1]])
    let one = store.list(ListSubscriptionTests.request).snapshot
    let subscription = ListSubscription(newest: zero)
    let taken = Taken()
    // A separate thread, because it spins and the pool may have only one.
    Thread.detachNewThread {
      for round in 0..<rounds {
        while taken.count.load(ordering: .acquiring) <= round {}
        for _ in 0..<round % 64 { _ = taken.count.load(ordering: .relaxed) }
        subscription.offer(
          round % 2 == 0 ? one : zero, UnreadChanges(ids: ["a"], StoreChanges(ids: ["a"]), origin: .files))
      }
      while taken.count.load(ordering: .acquiring) <= rounds {}
      subscription.finish()
    }
    while await subscription.next() != nil { taken.count.add(1, ordering: .releasing) }
    #expect(taken.count.load(ordering: .acquiring) == rounds + 1)
  }

  private final class Taken: Sendable {
    let count = Atomic(0)
  }

  /// Reads until the item `end` has the last number, and returns the first error on the way.
  private static func failure(of events: ListSequence<ListEvent>, upTo last: Int) async -> String? {
    var held: ListSnapshot<Item>?
    for await event in events {
      switch event {
      case .snapshot(let snapshot): held = snapshot
      case .step(let update?, _):
        if held?.list != update.old.list { return "a step does not start where the one before it ended" }
        if (try? update.old.list.applying(update.diff)) != update.new.list {
          return "a step does not lead to its new list"
        }
        held = update.new
      case .step(nil, _): return "an empty step"
      }
      if held?.item("end")?.value(at: "n") == .number(.integer(last)) { return nil }
    }
    return "the end came before the last state"
  }
}

extension ListSubscriptionTests {
  @Test func `an edit is an update also if the sections change before it is read`() throws {
    var store = FakeStore()
    store.change(["ada": ["rating": 1, "tags": ["a", "b"]]])
    let byTag = FetchRequest(section: SectionDescriptor("tags", by: .element), fields: ["rating"])
    let plain = FetchRequest(fields: ["rating"])
    for (rating, first, second) in [(2, byTag, plain), (3, plain, byTag)] {
      let follower = Follower(store.list(first))
      follower.results.request = second
      _ = follower.subscription.consumeEvent()
      follower.results.request = first
      store.change(["ada": ["rating": .number(.integer(rating)), "tags": ["a", "b"]]])
      follower.results.request = second
      guard case .step(let update?, _) = follower.subscription.consumeEvent() else {
        Issue.record("the step is missing")
        return
      }
      #expect(Set(update.changes.map { $0.id.item }) == ["ada"])
      #expect(update.changes.map(\.isChanged).contains(true))
    }
  }

  @Test(arguments: Randomness.seeds(80))
  func `steps lead to the list in any order of reading and returning them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var store = FakeStore()
    let follower = Follower(store.list(try RandomList.oracle(&random).request))
    var held: ListSnapshot<Item>?
    var before: ListSnapshot<Item>?
    for _ in 0..<40 {
      let item = RandomList.item(&random)
      let fields: Fields? =
        if random.oneIn(3) { nil } else if case .map(let fields) = item.fields.value { fields } else { nil }
      switch random.below(6) {
      case 0: follower.results.request = try RandomList.oracle(&random).request
      case 1: follower.results.search = random.one(of: ["", "a", "1"])
      default: store.change([item.id.description: fields], origin: random.one(of: [.files, .git]))
      }
      if random.oneIn(2) { continue }
      switch follower.subscription.consumeEvent() {
      case nil: break
      case .snapshot(let snapshot):
        #expect(held == nil, "\(seedNote(seed))")
        held = snapshot
      case .step(let update, _):
        let update = try #require(update, "\(seedNote(seed))")
        #expect(update.old.list == held?.list, "\(seedNote(seed))")
        #expect(!update.diff.isEmpty, "\(seedNote(seed))")
        #expect(try ListOracle.problem(in: update, changed: nil) == nil, "\(seedNote(seed))")
        (before, held) = (held, update.new)
        if random.oneIn(4) {
          follower.subscription.returnLastStep()
          held = before
        }
      }
    }
    // A change that is shown in any case.
    follower.results.request = FetchRequest()
    store.change(["last": ["rating": 9]])
    guard let event = follower.subscription.consumeEvent() else {
      Issue.record("the last step is missing; \(seedNote(seed))")
      return
    }
    if case .step(let update?, _) = event { #expect(update.old.list == held?.list, "\(seedNote(seed))") }
    switch event {
    case .snapshot(let snapshot): held = snapshot
    case .step(let update, _): held = update?.new
    }
    #expect(held?.list == follower.results.snapshot.list, "\(seedNote(seed))")
  }
}
