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

// The lines that options, counters and stores print as.

extension StoreOptions: CustomStringConvertible {
  /// The options with their names.
  public var description: String {
    var parts = ["limits \(limits)", "readers \(readers)", "watch \(watch)", "merge policy \(mergePolicy)"]
    if let idFields { parts.append("id-field \(idFields.map(\.description).joined(separator: " "))") }
    if badSettingsAreAProblem { parts.append("bad settings are a problem") }
    if let auditInterval { parts.append("audit every \(auditInterval)") }
    return parts.joined(separator: ", ")
  }
}

extension StoreCounters: CustomStringConvertible {
  /// The counters by their names: `items 3, problems 0, …`.
  public var description: String {
    let own = "items \(items), problems \(problems), audits \(audits), missed changes \(missedChanges)"
    return watch.map { "\(own), \($0)" } ?? own
  }
}

extension ItemStore: CustomStringConvertible {
  /// The folder and the number of its items: `contacts, 3 items`.
  public var description: String { "\(root), \(count) \(count == 1 ? "item" : "items")" }
}
