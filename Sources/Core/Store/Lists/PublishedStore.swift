import Synchronization

/// The part of a store that several threads share: its current state, its lists, the rows that they
/// share, its counters, and which updates have to wait.
///
/// One lock guards all of it. It is acquired under the lock of a list; while it is held, no other lock
/// is acquired and no user code runs. The store's worker alone publishes states; every thread may read
/// them and register lists.
final class PublishedStore: Sendable {
  private struct Contents {
    var state: StoreState
    var lists: [WeakList] = []
    /// The rows that lists share, by their order. Rows that no list holds are gone.
    var rows: [RowOrder: WeakRows] = [:]
    /// The updates that wait for each item that has an update now, the next one first.
    var updates: [Item.ID: [CheckedContinuation<Void, Never>]] = [:]
    /// The counters that no state has.
    var counters = StoreCounters()
    var firstReading: (cache: any ReadCache, found: FirstReadingRecord)?
    var trace: (@Sendable (StoreTrace) -> Void)?

    var aliveLists: [SharedList] { lists.compactMap(\.list) }
  }

  private struct WeakList {
    weak var list: SharedList?
  }

  private struct WeakRows {
    weak var rows: SharedRows?
  }

  /// Lock: guards the current state, the registered lists, the rows that they share, the counters, what
  /// the first reading found until it is recorded, which tasks wait to update an item, and who traces.
  private let contents: Mutex<Contents>

  init(
    _ state: StoreState, cacheHits: Int = 0, cacheMisses: Int = 0,
    firstReading: (cache: any ReadCache, found: FirstReadingRecord)? = nil
  ) {
    var counters = StoreCounters()
    counters.cacheHits = cacheHits
    counters.cacheMisses = cacheMisses
    contents = Mutex(Contents(state: state, counters: counters, firstReading: firstReading))
  }

  var state: StoreState { contents.withLock(\.state) }

  /// The closure that observes what the store does; nil if nobody does. It is called under no lock.
  var trace: (@Sendable (StoreTrace) -> Void)? {
    get { contents.withLock(\.trace) }
    set {
      // Releasing a closure may run user code.
      let old = contents.withLock { exchange(&$0.trace, with: newValue) }
      withExtendedLifetime(old) {}
    }
  }

  func report(_ act: @autoclosure () -> StoreTrace.Act, since start: ContinuousClock.Instant) {
    trace?(StoreTrace(act: act(), duration: ContinuousClock.now - start))
  }

  /// The lists that somebody holds, in the order in which they were made.
  var lists: [SharedList] { contents.withLock(\.aliveLists) }

  /// Publishes the state after a step, under a new version, and returns it with the lists to give the step
  /// to. A list that registers later was made of this state.
  func publish(_ state: StoreState) -> (state: StoreState, lists: [SharedList]) {
    contents.withLock { contents in
      contents.lists.removeAll { $0.list == nil }
      let version = contents.state.version + 1
      contents.state = state
      contents.state.version = version
      return (contents.state, contents.aliveLists)
    }
  }

  /// Publishes other settings before the changes that follow from them.
  func publish(_ settings: Settings) {
    contents.withLock { contents in
      contents.state.settings = settings
      contents.state.version += 1
    }
  }

  /// Registers a list for all further steps. Returns the newest state if it was not made of that.
  func register(_ list: SharedList, madeOf known: StoreState) -> StoreState? {
    contents.withLock { contents in
      if contents.state.version != known.version { return contents.state }
      contents.lists.append(WeakList(list: list))
      return nil
    }
  }

  func recordFirstReading() {
    guard let (cache, found) = contents.withLock({ exchange(&$0.firstReading, with: nil) }) else { return }
    if !cache.isCurrent(entryCount: found.entryCount) { cache.record(found.folders) }
  }

  func countAudit() { contents.withLock { $0.counters.audits += 1 } }

  func countMissedChanges(_ count: Int) { contents.withLock { $0.counters.missedChanges += count } }

  var counters: StoreCounters {
    contents.withLock { contents in
      var counters = contents.counters
      counters.items = contents.state.items.count
      counters.problems = contents.state.problems.count
      return counters
    }
  }

  /// Returns the rows of a published state in an order; nil if those of a later state were made already.
  func rows(of state: StoreState, in order: RowOrder) -> (shared: SharedRows, rows: ArrangedRows)? {
    let shared = contents.withLock { contents in
      if let rows = contents.rows[order]?.rows { return rows }
      let rows = SharedRows(followingStore: order)
      contents.rows = contents.rows.filter { $0.value.rows != nil }
      contents.rows[order] = WeakRows(rows: rows)
      return rows
    }
    return shared.rows(of: state).map { (shared, $0) }
  }

  var orderCount: Int { contents.withLock { $0.rows.values.count { $0.rows != nil } } }
}

/// The updates that read an item, change it, and write it: for each item one after the other.
///
/// Each update begins when the lists have what the ones before it wrote. So updates of one store
/// never conflict with each other, no matter how many there are at once.
extension PublishedStore {
  /// Waits until no other update of these items is in progress.
  nonisolated(nonsending) func beginUpdate(of ids: [Item.ID]) async -> UpdateTurn {
    // All take the items in the same order, so that no two wait for each other.
    let ids = Set(ids.map(\.item)).sorted { $0.stored.utf8.lexicographicallyPrecedes($1.stored.utf8) }
    for id in ids {
      await withCheckedContinuation { continuation in
        let isFree = contents.withLock { contents in
          let isFree = contents.updates[id] == nil
          if isFree { contents.updates[id] = [] } else { contents.updates[id]?.append(continuation) }
          return isFree
        }
        if isFree { continuation.resume() }
      }
    }
    return UpdateTurn(of: ids, in: self)
  }

  fileprivate func endUpdate(of ids: [Item.ID]) {
    for id in ids {
      let next = contents.withLock { contents in
        guard let queue = contents.updates[id], !queue.isEmpty else {
          contents.updates[id] = nil
          return nil as CheckedContinuation<Void, Never>?
        }
        return contents.updates[id]?.removeFirst()
      }
      next?.resume()
    }
  }
}

/// The time in which no other update of the same items begins.
package final class UpdateTurn: Sendable {
  private let ids: [Item.ID]
  private let store: PublishedStore
  private let isEnded = Atomic(false)

  fileprivate init(of ids: [Item.ID], in store: PublishedStore) {
    self.ids = ids
    self.store = store
  }

  deinit { end() }

  var isOver: Bool { isEnded.load(ordering: .acquiring) }

  /// Lets the next update begin. Later calls do nothing.
  package func end() {
    if !isEnded.exchange(true, ordering: .acquiringAndReleasing) { store.endUpdate(of: ids) }
  }
}

/// The counters of a store and its watch, for a status line and for tests.
package struct StoreCounters: Sendable, Hashable {
  /// The number of items now.
  package var items = 0
  /// The number of problems now.
  package var problems = 0
  /// The number of completed audits.
  package var audits = 0
  /// The number of changed files that an audit found and no event had reported. The watch promises zero.
  package var missedChanges = 0
  /// The number of items of the first reading whose files were not opened, because a cache of an
  /// earlier reading had their values.
  package var cacheHits = 0
  /// The number of items of the first reading that a cache was asked for and did not have.
  package var cacheMisses = 0
  /// The counters of the watch; nil if the store does not watch.
  package var watch: WatchCounters?

  /// Makes counters of a store that has done nothing.
  package init() {}
}

extension StoreCounters: CustomStringConvertible {
  /// The counters by their names: `items 3, problems 0, …`.
  package var description: String {
    let own = "items \(items), problems \(problems), audits \(audits), missed changes \(missedChanges)"
    return watch.map { "\(own), \($0)" } ?? own
  }
}
