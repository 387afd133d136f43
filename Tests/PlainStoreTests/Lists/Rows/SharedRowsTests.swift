import DiffableSnapshot
@testable import Models
@testable import Store
import Synchronization
import TestSupport
import Testing
import Values

@testable import Files
@testable import Folder
@testable import Query

/// Lists that share rows show what each would show alone.
struct SharedRowsTests {
  /// A store with lists, each of which also exists with rows of its own.
  private struct Lists {
    struct Pair {
      let shared: LiveList<Item>
      let alone: LiveList<Item>
      let readers: (shared: ListSubscription, alone: ListSubscription)
    }

    let table = PublishedStore(StoreState([]))
    var pairs: [Pair] = []
    private var items: [Item.ID: Item] = [:]
    private var problems: [Problem] = []
    private(set) var state = StoreState([])

    init(_ random: inout SeededGenerator) {
      for _ in 0..<random.below(25) {
        let item = RandomList.item(&random)
        items[item.id] = item
      }
      publish()
    }

    private mutating func publish() {
      state = StoreState(Array(items.values), problems: problems, version: state.version + 1)
    }

    func pair(_ request: FetchRequest, of state: StoreState) -> Pair {
      let shared = LiveList<Item>(state, sharing: table, request: request)
      let alone = LiveList<Item>(state, request: request)
      return Pair(shared: shared, alone: alone, readers: (shared.subscribe(), alone.subscribe()))
    }

    /// Makes one step. Some lists are made of the new state before the others have it, and some of
    /// an old one after them, as happens if threads make lists at the same time.
    mutating func step(_ random: inout SeededGenerator) throws {
      let old = state
      var changed: Set<Item.ID> = []
      for _ in 0..<random.one(of: [0, 1, 1, 4]) {
        let item = RandomList.item(&random)
        items[item.id] = random.oneIn(3) ? nil : item
        changed.insert(item.id)
      }
      problems = random.oneIn(6) ? [Problem(path: "x.md", message: "\(random.below(3))")] : problems
      publish()
      let step = StoreStep(
        state: state, changes: StoreChanges(ids: changed, paths: ["x.md"]),
        origin: random.one(of: [.files, .git]))
      let early = random.oneIn(4) ? pair(try RandomList.oracle(&random).request, of: state) : nil
      for pair in pairs {
        pair.shared.update(with: step)
        pair.alone.update(with: step)
      }
      if let early { pairs.append(early) }
      if random.oneIn(4) {
        let late = pair(try RandomList.oracle(&random).request, of: old)
        let missed = StoreStep(from: old, to: state)
        late.shared.update(with: missed)
        late.alone.update(with: missed)
        pairs.append(late)
      }
    }

    mutating func changeRequest(_ random: inout SeededGenerator) throws {
      guard !pairs.isEmpty else { return }
      let pair = random.one(of: pairs)
      var request = try RandomList.oracle(&random).request
      let part = random.below(6)
      if random.oneIn(5) { request.folder = random.one(of: ["d", "e", nil]) }
      for list in [pair.shared, pair.alone] {
        list.change { old in
          switch part {
          case 0: (old.limit, old.offset) = (request.limit, request.offset)
          case 1: old.search = request.search
          case 2: old.section = request.section
          case 3: old.folder = request.folder
          case 4: old.predicate = request.predicate
          default: old = request
          }
        }
      }
    }
  }

  @Test(arguments: Randomness.seeds(40))
  func `a list that shares rows equals the list alone`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lists = Lists(&random)
    for round in 0..<40 {
      switch random.below(8) {
      case 0, 1: lists.pairs.append(lists.pair(try RandomList.oracle(&random).request, of: lists.state))
      case 2: if !lists.pairs.isEmpty { lists.pairs.remove(at: random.below(lists.pairs.count)) }
      case 3, 4: try lists.changeRequest(&random)
      default: try lists.step(&random)
      }
      for (place, pair) in lists.pairs.enumerated() {
        let note = "round \(round), list \(place), \(pair.alone.request); \(seedNote(seed))"
        let (shared, alone) = (pair.shared.snapshot, pair.alone.snapshot)
        #expect(shared.list.checkInvariants() == nil, "\(note)")
        #expect(shared.list == alone.list, "\(note)")
        #expect(shared.totalCount == alone.totalCount, "\(note)")
        #expect(
          shared.map(ObjectIdentifier.init) == alone.map(ObjectIdentifier.init),
          "\(note)")
        // A slow reader gets one step for several.
        if random.oneIn(2) { try compare(pair.readers.shared, pair.readers.alone, note) }
        if shared.list != alone.list { return }
      }
    }
    #expect(lists.table.orderCount <= lists.pairs.count)
    lists.pairs = []
    #expect(lists.table.orderCount == 0, "the rows go with the last list")
  }

  private func compare(_ shared: ListSubscription, _ alone: ListSubscription, _ note: String) throws {
    switch (shared.consumeEvent(), alone.consumeEvent()) {
    case (nil, nil), (.snapshot, .snapshot): break
    case (.step(let update, let problems), .step(let expected, let expectedProblems)):
      #expect(problems == expectedProblems, "\(note)")
      #expect(update?.origin == expected?.origin, "\(note)")
      #expect(update?.cause == expected?.cause, "\(note)")
      #expect(update?.diff.changes == expected?.diff.changes, "\(note)")
      #expect(update?.diff.sections == expected?.diff.sections, "\(note)")
      if let update {
        #expect(try update.old.list.applying(update.diff) == update.new.list, "\(note)")
      }
    case (let event, let expected):
      Issue.record("\(event.map(Follower.text) ?? "-") and \(expected.map(Follower.text) ?? "-"): \(note)")
    }
  }

  @Test func `lists with one order share their rows, whatever they show of them`() throws {
    var random = SeededGenerator(seed: 5)
    var lists = Lists(&random)
    let requests = [
      FetchRequest(sort: ["rating"]), FetchRequest(sort: ["rating"], search: "a"),
      FetchRequest(sort: ["rating"], limit: 3),
      FetchRequest(sort: ["rating", "-rating"], predicate: ItemPredicate("rating > 2")),
    ]
    for request in requests { lists.pairs.append(lists.pair(request, of: lists.state)) }
    lists.pairs.append(lists.pair(FetchRequest(sort: ["-rating"]), of: lists.state))
    #expect(lists.table.orderCount == 2)
    for _ in 0..<20 {
      lists.pairs = Array(lists.pairs.prefix(5))
      try lists.step(&random)
      let serials = lists.pairs.prefix(5).map { $0.shared.shared.state.withLock { $0.index.rows.serial } }
      #expect(Set(serials.prefix(4)).count == 1)
      #expect(serials[3] != serials[4])
    }
    // A list of a folder has rows of its own.
    lists.pairs[0].shared.folder = "d"
    try lists.step(&random)
    let folder = lists.pairs[0].shared.shared.state.withLock { $0.index.shared }
    #expect(!folder.followsStore)
    lists.pairs[0].shared.folder = nil
    try lists.step(&random)
    #expect(
      lists.pairs[0].shared.shared.state.withLock { $0.index.shared }
        === lists.pairs[1].shared.shared.state.withLock { $0.index.shared })
  }

  @Test(arguments: Randomness.seeds(12))
  func `lists that share searched texts find what each finds alone`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = PublishedStore(StoreState([]))
    var items: [Item.ID: Item] = [:]
    for _ in 0..<40 {
      let item = RandomList.item(&random)
      items[item.id] = item
    }
    var version = 0
    var state: StoreState { StoreState(Array(items.values), version: version) }
    var searches = ["", "a", "ab", "1", "n1"]
    var lists = (0..<6).map { _ in
      let request = FetchRequest(
        sort: ["word"], section: random.oneIn(3) ? SectionDescriptor("tags", by: .element) : nil)
      return ListIndex(
        state, request: request, filter: ItemFilter(request, context: .now), sharing: table,
        isPublished: true, minCorpusItems: 1)
    }
    var withTexts = 0
    for round in 0..<30 {
      if random.oneIn(2) {
        var changed: Set<Item.ID> = []
        for _ in 0..<random.below(4) {
          let item = RandomList.item(&random)
          items[item.id] = random.oneIn(4) ? nil : item
          changed.insert(item.id)
        }
        version += 1
        let step = StoreStep(state: state, changes: StoreChanges(ids: changed), origin: .files)
        for place in lists.indices { _ = lists[place].update(step, isPublished: true) }
      } else {
        let place = random.below(lists.count)
        var request = lists[place].request
        searches.append(random.one(of: ["x", "m1", "red b", "2024", "zz"]))
        request.search = random.one(of: searches)
        request.searchFields = random.one(of: [request.searchFields, [], ["word"]])
        request.predicate = random.oneIn(3) ? ItemPredicate("rating > 2") : request.predicate
        lists[place].show(request, of: state, filter: ItemFilter(request, context: .now), isPublished: true)
      }
      for (place, list) in lists.enumerated() {
        if list.shared.hasTexts { withTexts += 1 }
        let alone = ListIndex(state, request: list.request, filter: list.filter)
        #expect(
          list.shown == alone.shown, "round \(round), list \(place), \(list.request); \(seedNote(seed))")
        #expect(list.all.checkInvariants() == nil, "round \(round), list \(place); \(seedNote(seed))")
      }
    }
    #expect(withTexts > 0)
    #expect(table.orderCount <= 2)
  }

  @Test func `a subscriber sleeps while only hidden items change, and holds no old state for long`() throws {
    var store = FakeStore(["a": ["n": 1], "b": ["n": 2]])
    let results = store.list(FetchRequest(predicate: ItemPredicate("n > 1")))
    let subscription = results.subscribe()
    _ = subscription.consumeEvent()
    for number in 0..<256 { store.change(["a": ["n": .number(.integer(-number))]]) }
    #expect(!subscription.isReady)
    store.change(["a": ["n": 0]])
    #expect(subscription.isReady)
    #expect(subscription.consumeEvent() == nil)
    #expect(!subscription.isReady)
    store.change(["a": ["n": 5]], origin: .git)
    #expect(subscription.consumeEvent().map(Follower.text) == "git: +a@0")
    store.change(["a": ["n": 0]])
    #expect(subscription.consumeEvent().map(Follower.text) == "files: -a(filtered)")
  }

  @Test func `a stalled subscriber holds the snapshot that it was given and the newest, and none between`() {
    struct WeakItem {
      weak var item: Item?
    }
    var store = FakeStore(["a": ["n": 0], "b": [:]])
    let results = store.list()
    let subscription = results.subscribe()
    _ = subscription.consumeEvent()
    var versions = [WeakItem(item: store.items["a"])]
    for number in 1...50 {
      store.change(["a": ["n": .number(.integer(number))]])
      versions.append(WeakItem(item: store.items["a"]))
    }
    #expect(versions.indices.filter { versions[$0].item != nil } == [0, 50])
    #expect(subscription.consumeEvent().map(Follower.text) == "files: ~a@0")
  }

  @Test func `lists that are made, changed and released on several threads show the store`() async throws {
    try await withDeadline {
      let folder = try TemporaryFolder()
      for number in 0..<30 { try folder.write("rating: \(number % 5)\n", to: "n\(number).yaml") }
      let store = try ItemStore(at: folder.path, watching: true)
      let sorts: [[ItemSortDescriptor]] = [["rating"], ["-rating"]]
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<3 {
          group.addTask(executorPreference: QueueExecutor("lists")) {
            var random = SeededGenerator(seed: UInt64(worker))
            var lists: [LiveList<Item>] = []
            for _ in 0..<60 {
              switch random.below(4) {
              case 0:
                lists.append(
                  store.list(FetchRequest(sort: random.one(of: sorts), search: "\(random.below(30))")))
              case 1: if !lists.isEmpty { lists.remove(at: random.below(lists.count)) }
              case 2: lists.randomElement()?.search = "\(random.below(5))"
              default: try? folder.write("rating: \(random.below(50))\n", to: "n\(random.below(40)).yaml")
              }
              await Task.yield()
            }
            await store.settled()
            for list in lists {
              let fresh = LiveList<Item>(store.currentState, request: list.request)
              // Read once: another worker may change the list meanwhile.
              let shown = list.snapshot
              #expect(shown.list.checkInvariants() == nil)
              if shown.version == fresh.snapshot.version { #expect(shown.list == fresh.snapshot.list) }
            }
          }
        }
      }
      let last = store.list(FetchRequest(sort: ["rating"], search: "1"))
      await store.settled()
      #expect(last.snapshot.list == LiveList<Item>(store.currentState, request: last.request).snapshot.list)
      #expect(store.published.orderCount == 1)
    }
  }
}
