import Folder
import Synchronization

/// The part of a store that several threads share: its current state, its lists and its counters.
///
/// One lock guards all of it. While it is held, no other lock is acquired and no user code runs.
/// The worker alone publishes states; every thread may read them and register lists.
final class PublishedStore: Sendable {
  private struct Contents {
    var state: StoreState
    var lists: [WeakList] = []
    var audits = 0
    var missedChanges = 0
    /// The result of the first reading for the cache, until it was recorded.
    var firstReading: (cache: any ReadCache, found: FirstReadingRecord)?

    var aliveLists: [FetchedResults] { lists.compactMap(\.list) }
  }

  private struct WeakList {
    weak var list: FetchedResults?
  }

  /// Lock: guards the current state, the registered lists, the counters, and what the first reading
  /// found until it is recorded.
  private let contents: Mutex<Contents>
  /// The rows that lists share.
  let rows = SharedRowsTable()
  /// The items of the first reading that a cache had, and those that it did not have.
  private let cacheHits, cacheMisses: Int

  /// - Parameter firstReading: The cache, and what the first reading found for it; nil without a cache.
  init(
    _ state: StoreState, cacheHits: Int = 0, cacheMisses: Int = 0,
    firstReading: (cache: any ReadCache, found: FirstReadingRecord)? = nil
  ) {
    contents = Mutex(Contents(state: state, firstReading: firstReading))
    self.cacheHits = cacheHits
    self.cacheMisses = cacheMisses
  }

  var state: StoreState { contents.withLock(\.state) }

  /// The lists that somebody holds, in the order in which they were made.
  var lists: [FetchedResults] { contents.withLock(\.aliveLists) }

  /// Publishes the state after a step, under a new version.
  ///
  /// - Returns: The published state, and the lists to give the step to. A list that registers later
  ///   was made of this state.
  func publish(_ state: StoreState) -> (state: StoreState, lists: [FetchedResults]) {
    contents.withLock { contents in
      contents.lists.removeAll { $0.list == nil }
      contents.state = state.numbered(contents.state.version + 1)
      return (contents.state, contents.aliveLists)
    }
  }

  /// Publishes other settings before the changes that follow from them, unless a list was
  /// registered that has not accepted them.
  ///
  /// - Returns: Those lists; none if the settings were published.
  func publish(_ settings: Settings, acceptedBy accepted: [FetchedResults]) -> [FetchedResults] {
    contents.withLock { contents in
      let others = contents.aliveLists.filter { list in !accepted.contains { $0 === list } }
      if others.isEmpty { contents.state = contents.state.with(settings) }
      return others
    }
  }

  /// Registers a list for all further steps, if it was made of the newest state.
  ///
  /// - Returns: Nil if it was; otherwise the newest state.
  func register(_ list: FetchedResults, madeOf known: StoreState) -> StoreState? {
    contents.withLock { contents in
      if contents.state.version != known.version { return contents.state }
      contents.lists.append(WeakList(list: list))
      return nil
    }
  }

  /// Hands what the first reading found to the cache, once. The cache may write a file.
  func recordFirstReading() {
    guard let (cache, found) = contents.withLock({ exchange(&$0.firstReading, with: nil) }) else { return }
    if !cache.isCurrent(entryCount: found.entryCount) { cache.record(found.folders) }
  }

  func countAudit() { contents.withLock { $0.audits += 1 } }

  func countMissedChanges(_ count: Int) { contents.withLock { $0.missedChanges += count } }

  /// The counters that the store keeps itself.
  var counters: StoreCounters {
    contents.withLock { contents in
      var counters = StoreCounters()
      counters.items = contents.state.items.count
      counters.problems = contents.state.problems.count
      counters.audits = contents.audits
      counters.missedChanges = contents.missedChanges
      counters.cacheHits = cacheHits
      counters.cacheMisses = cacheMisses
      return counters
    }
  }
}

extension StoreState {
  fileprivate func numbered(_ version: Int) -> StoreState {
    StoreState(items: items, problems: problems, settings: settings, version: version)
  }

  fileprivate func with(_ settings: Settings) -> StoreState {
    StoreState(items: items, problems: problems, settings: settings, version: version + 1)
  }
}
