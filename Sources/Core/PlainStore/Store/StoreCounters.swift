public import Watch

/// The counters of a store and its watch, for a status line and for tests.
public struct StoreCounters: Sendable, Hashable {
  /// The number of items now.
  public var items = 0
  /// The number of problems now.
  public var problems = 0
  /// The number of completed audits.
  public var audits = 0
  /// The number of changed files that an audit found and no event had reported. The watch promises
  /// zero.
  public var missedChanges = 0
  /// The number of items of the first reading whose files were not opened, because a cache of an
  /// earlier reading had their values.
  public var cacheHits = 0
  /// The number of items of the first reading that a cache was asked for and did not have.
  public var cacheMisses = 0
  /// The counters of the watch; nil if the store does not watch.
  public var watch: WatchCounters?

  /// Makes counters of a store that has done nothing.
  public init() {}
}

extension ItemStore {
  /// The counters as they are now.
  public var counters: StoreCounters {
    var counters = published.counters
    counters.watch = watch?.counters
    return counters
  }
}

extension StoreCounters: CustomStringConvertible {
  /// The counters by their names: `items 3, problems 0, …`.
  public var description: String {
    let own = "items \(items), problems \(problems), audits \(audits), missed changes \(missedChanges)"
    return watch.map { "\(own), \($0)" } ?? own
  }
}
