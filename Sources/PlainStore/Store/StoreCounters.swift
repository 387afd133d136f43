public import DirectoryWatch

/// What a store and its watch did so far; for a status line and for tests.
public struct StoreCounters: Sendable, Hashable {
  public var items = 0
  public var problems = 0
  /// Audits that came to their end.
  public var audits = 0
  /// Files that an audit found to be otherwise than the list had them, though no event had told. Zero is what the watch stands for.
  public var missedChanges = 0
  /// Nil where nothing is watched.
  public var watch: WatchCounters?

  public init() {}
}

extension ItemStore {
  /// As of now.
  public var counters: StoreCounters {
    var counters = published.counters
    counters.watch = watch?.counters
    return counters
  }
}
