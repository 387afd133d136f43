import DiffableSnapshot
import Files
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

/// Rules of Core Data's fetched results, and mistakes that its users report.
struct ListUpdateTests {
  private static let byNumber = FetchRequest(sort: ["n"])
  private static let bySection = FetchRequest(sort: ["n"], section: SectionDescriptor("g"))

  private static func follow(_ store: inout FakeStore, _ request: FetchRequest) -> Follower {
    let follower = Follower(store.list(request))
    _ = follower.next()
    return follower
  }

  @Test func `a list is sorted by section, sort keys and id`() {
    var store = FakeStore([
      "c": ["g": "x", "n": 1], "b": ["g": "x", "n": 1], "a": ["g": "y", "n": 0], "d": ["g": "x", "n": 0],
    ])
    #expect(Follower(store.list(ListUpdateTests.bySection)).next() == "snapshot d b c a")
  }

  @Test func `an empty change delivers nothing`() {
    var store = FakeStore(["a": ["n": 1]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    store.change([:])
    store.change(["a": ["n": 1], "gone": nil])
    #expect(follower.next() == nil)
  }

  @Test func `sections are inserted, deleted and moved`() {
    var store = FakeStore(["a": ["g": "x"], "b": ["g": "y"]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.bySection)
    store.change(["b": nil, "c": ["g": "w"]])
    #expect(follower.next() == "files: [-y@1] [+w@0] -b(removed) +c@0")
    follower.results.request.section?.order = ["x"]
    #expect(["view: [>x@1-0]", "view: [>w@0-1]"].contains(follower.next()))
    follower.results.request.section?.titles = ["w": "Double U"]
    #expect(follower.next() == "view: [~w@1]")
  }

  @Test func `an edited item has an old and a new place if another one is inserted above it`() throws {
    var store = FakeStore(["b": ["n": 1], "c": ["n": 2]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    store.change(["c": ["n": 3], "a": ["n": 0]])
    guard case .step(let update?, _) = follower.subscription.consumeEvent() else {
      Issue.record("no step")
      return
    }
    let place = { Place<SectionID>(section: "", index: $0) }
    #expect(update.diff.changes == [.insert("a", to: place(0)), .update("c", from: place(1), to: place(2))])
  }

  @Test func `items that only shift are not reported`() {
    var store = FakeStore(["b": ["n": 1], "c": ["n": 2], "d": ["n": 3]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    store.change(["a": ["n": 0]])
    #expect(follower.next() == "files: +a@0")
    store.change(["a": nil])
    #expect(follower.next() == "files: -a(removed)")
  }

  @Test func `a move with an edit is one change`() {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    store.change(["a": ["n": 4]])
    #expect(follower.next() == "files: *a@2")
  }

  @Test func `a move by a field that the view does not show is a move without an update`() {
    var store = FakeStore(["a": ["n": 1, "v": 1], "b": ["n": 2, "v": 1]])
    let follower = ListUpdateTests.follow(&store, FetchRequest(sort: ["n"], fields: ["v"]))
    store.change(["a": ["n": 3, "v": 1]])
    #expect(follower.next() == "files: >a@1")
    store.change(["a": ["n": 4, "v": 1]])
    #expect(follower.next() == nil)
  }

  @Test func `items that begin or cease to match the predicate or the search are inserts and deletes`() throws
  {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 5]])
    let follower = ListUpdateTests.follow(
      &store, FetchRequest(sort: ["n"], predicate: ItemPredicate("n > 3")))
    store.change(["a": ["n": 4], "b": ["n": 2]])
    #expect(follower.next() == "files: -b(filtered) +a@0")
    follower.results.search = "b"
    #expect(follower.next() == "view: -a(filtered)")
    follower.results.search = ""
    #expect(follower.next() == "view: +a@0")
    store.change(["a": nil])
    #expect(follower.next() == "files: -a(removed)")
  }

  @Test func `an item that leaves the view and then the disk has the reason removed`() {
    var store = FakeStore(["a": ["n": 1]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    follower.results.search = "zzz"
    store.change(["a": nil])
    #expect(follower.next() == "files: -a(removed)")
  }

  @Test func `a section that becomes empty goes with its items, and a named one stays`() {
    var store = FakeStore(["a": ["g": "x"], "b": ["g": "y"], "c": ["g": "y"]])
    let plain = ListUpdateTests.follow(&store, ListUpdateTests.bySection)
    let named = ListUpdateTests.follow(
      &store, FetchRequest(section: SectionDescriptor("g", order: ["y", "x", "none"])))
    store.change(["b": nil, "c": ["g": "x"]])
    #expect(plain.next() == "files: [-y@1] -b(removed) *c@1")
    #expect(named.next() == "files: -b(removed) *c@1")
    #expect(named.results.snapshot.sections.map(\.id) == ["y", "x", "none"])
    #expect(named.results.snapshot.sections.map(\.count) == [0, 2, 0])
  }

  @Test func `a changed request is an update of origin view`() {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    follower.results.request.fields = ["n"]
    // Other fields of the same values are shown.
    #expect(follower.next() == nil)
    follower.results.request.fields = ["missing"]
    #expect(follower.next() == "view: ~a@0 ~b@1 ~c@2")
    follower.results.request = FetchRequest(section: SectionDescriptor("n"))
    #expect(follower.next()?.hasPrefix("view: [-@0] [+1@0] [+2@1] [+3@2] *a@0") == true)
  }

  @Test func `the window shows exactly its numbers`() {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3], "d": ["n": 4], "e": ["n": 5]])
    let follower = Follower(store.list(FetchRequest(sort: ["n"], limit: 2, offset: 1)))
    #expect(follower.next() == "snapshot b c")
    store.change(["0": ["n": 0]])
    #expect(follower.next() == "files: -c(filtered) +a@0")
    store.change(["0": nil, "a": nil])
    #expect(follower.next() == "files: -b(filtered) -a(removed) +c@0 +d@1")
    // Changes outside of the window are not reported.
    store.change(["e": ["n": 6], "f": ["n": 7]])
    #expect(follower.next() == nil)
    store.change(["c": ["n": 8]])
    #expect(follower.next() == "files: -c(filtered) +e@1")
    follower.results.request.limit = nil
    #expect(follower.next() == "view: +f@2 +c@3")
  }

  @Test func `two items that swap are one move and one update, always in the same way`() {
    for _ in 0..<20 {
      var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3], "d": ["n": 4]])
      let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
      store.change(["b": ["n": 3], "c": ["n": 2]])
      let said = follower.next()
      #expect(said == "files: *c@1 ~b@2" || said == "files: *b@2 ~c@1")
      var again = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3], "d": ["n": 4]])
      let second = ListUpdateTests.follow(&again, ListUpdateTests.byNumber)
      again.change(["c": ["n": 2], "b": ["n": 3]])
      #expect(second.next() == said)
    }
  }

  @Test func `an item that keeps its index because one above it went is an update`() {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2], "c": ["n": 3]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    // b was second. Without a, and after c, it is second again: that is still a move.
    store.change(["a": nil, "b": ["n": 4]])
    #expect(follower.next() == "files: -a(removed) *b@1")
    store.change(["c": nil, "b": ["n": 5]])
    #expect(follower.next() == "files: -c(removed) ~b@0")
  }

  @Test func `random changes at the edge of a predicate are exact`() throws {
    for seed in Randomness.seeds(40) {
      var random = SeededGenerator(seed: seed)
      var store = FakeStore()
      var numbers: [String: Int] = [:]
      let follower = ListUpdateTests.follow(
        &store, FetchRequest(sort: ["n"], predicate: ItemPredicate("n > 3"), limit: 6))
      var replayed = follower.results.snapshot.list
      for _ in 0..<40 {
        // Several items and steps at once, each a little above or below.
        for _ in 0..<1 + random.below(3) {
          let (id, number) = ("i\(random.below(12))", 2 + random.below(4))
          numbers[id] = number
          store.change([id: ["n": .number(.integer(number))]])
        }
        guard case .step(let update?, _) = follower.subscription.consumeEvent() else { continue }
        replayed = try replayed.applying(update.diff)
        let fitting = numbers.filter { $0.value > 3 }.map {
          (number: $0.value, place: Int($0.key.dropFirst()) ?? 0, id: $0.key)
        }
        let expected = fitting.sorted { ($0.number, $0.place) < ($1.number, $1.place) }.prefix(6).map(\.id)
        #expect(replayed.itemIdentifiers.map(\.description) == expected, "\(seedNote(seed))")
      }
    }
  }

  @Test func `the places of a move may have the same number`() throws {
    var store = FakeStore(["0": ["n": 10], "1": ["n": 11], "2": ["n": 12]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    store.change(["x": ["n": 1], "y": ["n": 2], "2": ["n": 3]])
    guard case .step(let update?, _) = follower.subscription.consumeEvent() else {
      Issue.record("no step")
      return
    }
    let place = Place<SectionID>(section: "", index: 2)
    #expect(update.diff.changes.last == .move("2", from: place, to: place, isUpdated: true))
    #expect(update.diff.changes.count == 3)
  }

  @Test func `one item that goes from the top to the bottom is one move`() {
    let items = (0..<100_000).map { number in
      Item.sample(.init(bytes: "\(number).md".utf8), ["n": .number(.integer(number))])
    }
    var index = ListIndex(
      StoreState(items), request: ListUpdateTests.byNumber,
      filter: ItemFilter(ListUpdateTests.byNumber, context: .now))
    let old = index.shown
    var changed = items
    changed[0] = .sample("0.md", ["n": 100_000])
    let touched = index.update(["0"], of: StoreState(changed))
    #expect(index.shown.difference(from: old, touched: touched).changes.count == 1)
    #expect(index.shown.difference(from: old).changes.count == 1)
  }

  @Test func `only the item that goes to another section moves`() {
    var store = FakeStore(["a": ["g": "x", "n": 1], "b": ["g": "x", "n": 2], "c": ["g": "y", "n": 1]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.bySection)
    store.change(["a": ["g": "y", "n": 1]])
    #expect(follower.next() == "files: *a@0")
  }

  @Test func `field changes exist for items in both snapshots`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    let follower = ListUpdateTests.follow(&store, ListUpdateTests.byNumber)
    store.change(["a": ["n": 1, "m": 2], "b": nil, "c": [:]])
    guard case .step(let update?, _) = follower.subscription.consumeEvent() else {
      Issue.record("no step")
      return
    }
    #expect(update.fieldChanges(of: "a")?.pointers == ["/m"])
    #expect(update.fieldChanges(of: "b") == nil)
    #expect(update.fieldChanges(of: "c") == nil)
  }

  @Test func `different origins merge to files`() {
    #expect(UpdateOrigin.git.merged(with: .git) == .git)
    #expect(UpdateOrigin.git.merged(with: .view) == .files)
    #expect(UpdateOrigin.clock.merged(with: .files) == .files)
  }
}
