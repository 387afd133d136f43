import DiffableSnapshot
@testable import Store
@testable import Streams
import Testing
import Values

@testable import Query

struct LiveListResumingTests {
  private static func stored(_ list: ListSnapshot<Item>) throws -> ListSnapshot<Item> {
    var rows: [ListRow] = []
    list.forEachRow { rows.append($0) }
    return try #require(ListSnapshot<Item>(restoring: list.sectionTitles, rows: rows, request: list.request))
  }

  @Test func `a resumed subscription begins with everything since its list, and all problems`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "d": ["n": 3]])
    let results = store.list(FetchRequest(sort: ["n"]))
    let list = try Self.stored(results.snapshot)
    store.change(["a": ["n": 4], "c": ["n": 0]], problems: ["x.yaml": "It is wrong."])
    let subscription = results.subscribe(resumingAfter: list)
    guard case .step(let update?, let problems)? = subscription.consumeEvent() else {
      throw FoldError(text: "no update")
    }
    #expect(update.cause == .resumed)
    #expect(update.cause.description == "resumed")
    #expect(update.origin == .files)
    #expect(!update.isInitial)
    #expect(update.diff.changes.map(\.item) == ["c", "a"])
    #expect(update.fieldChanges(of: "a")?.before == ["n": 1])
    #expect(problems == results.snapshot.problems.map(ProblemChange.raised))
    #expect(problems.count == 1)
  }

  @Test func `a list that was stored in another order leads to this one by moves alone`() throws {
    var store = FakeStore(["a": [:], "b": ["n": 2], "c": ["n": .null], "d": ["n": 1], "e": [:]])
    // Until missing values came last, this was the order of `n`.
    let before = try Self.stored(store.list(FetchRequest(sort: ["n:nulls-first"])).snapshot)
    let results = store.list(FetchRequest(sort: ["n"]))
    let subscription = results.subscribe(resumingAfter: before)
    guard case .step(let update?, _)? = subscription.consumeEvent() else {
      throw FoldError(text: "no update")
    }
    #expect(try update.old.list.applying(update.diff) == results.snapshot.list)
    #expect(update.old.list.itemIdentifiers == ["a", "c", "e", "d", "b"])
    #expect(update.new.list.itemIdentifiers == ["d", "b", "a", "c", "e"])
    #expect(update.diff.changes.map { $0.item } == ["d", "b"])
    #expect(update.diff.changes.allSatisfy { if case .move(_, _, _, false) = $0 { true } else { false } })
  }

  @Test func `a list that did not change gives no update, and later changes as usual`() throws {
    var store = FakeStore(["a": ["n": 1]])
    let results = store.list()
    let subscription = results.subscribe(resumingAfter: try Self.stored(results.snapshot))
    #expect(subscription.consumeEvent() == nil)
    store.change(["a": ["n": 2]])
    guard case .step(let update?, _)? = subscription.consumeEvent() else {
      throw FoldError(text: "no update")
    }
    #expect(update.cause == .changed)
    #expect(update.fieldChanges(of: "a")?.before == ["n": 1])
  }

  @Test func `a list that was kept with its problems gives all current problems again`() throws {
    var store = FakeStore(["a": ["n": 1]])
    let results = store.list()
    store.change([:], problems: ["x.yaml": "It is wrong.", "y.yaml": "It is wrong."])
    let subscription = results.subscribe(resumingAfter: results.snapshot)
    store.change([:], problems: ["z.yaml": "It is wrong.", "y.yaml": nil])
    guard case .step(nil, let problems)? = subscription.consumeEvent() else {
      throw FoldError(text: "no step")
    }
    #expect(problems == results.snapshot.problems.map(ProblemChange.raised))
    #expect(problems.count == 2)
    store.change([:], problems: ["x.yaml": nil])
    guard case .step(nil, let later)? = subscription.consumeEvent() else { throw FoldError(text: "no step") }
    #expect(later.count == 1)
  }

  @Test func `a deleted item was removed or filtered, as without the restart`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 1]])
    let results = store.list(FetchRequest(predicate: ItemPredicate("n = 1")))
    let list = try Self.stored(results.snapshot)
    store.change(["a": nil, "b": ["n": 2]])
    let follower = Follower(results.subscribe(resumingAfter: list), results)
    #expect(follower.next() == "files: -b(filtered) -a(removed)")
  }

  @Test func `the empty list of a view leads to the list as it is`() throws {
    var store = FakeStore(["a": ["g": "x"], "b": ["g": "y"]])
    let results = store.list(FetchRequest(section: SectionDescriptor("g", titles: ["x": "Ex"])))
    let subscription = results.subscribe(resumingAfter: results.snapshot.emptied)
    guard case .step(let update?, _)? = subscription.consumeEvent() else {
      throw FoldError(text: "no update")
    }
    #expect(update.old.isEmpty)
    #expect(update.diff.sections == [.insert("x", to: 0), .insert("y", to: 1)])
    #expect(update.diff.changes.count == 2)
    var pending = PendingChanges(after: update.old)
    pending.add(update)
    #expect(pending.update?.diff == update.diff)
  }
}
