public import Store

/// The list as it is now, and what changed since the last report that the screen was given.
public struct ListReport: Sendable {
  /// The newest snapshot.
  public var snapshot: ResultsSnapshot
  /// The changes of the list; nil if there are none.
  public var update: ResultsUpdate?
  /// The settings of the folder.
  public var settings: Settings
  /// True if the folder is polled, because it cannot be watched.
  public var isPolled: Bool
  /// The number of items in the folder, whether or not the list shows them.
  public var storeCount = 0
  /// The time of day of the changes, such as `12:03:04`; nil if it is not known.
  public var time: String?

  /// The problems that appeared or disappeared; at first those that are there.
  public var problems: [ProblemChange] = []
  /// The hints about the request; nil if they are those of the last report.
  public var hints: [String]?

  /// Creates a report.
  public init(_ snapshot: ResultsSnapshot, _ update: ResultsUpdate?, settings: Settings, isPolled: Bool) {
    (self.snapshot, self.update, self.settings, self.isPolled) = (snapshot, update, settings, isPolled)
  }
}

/// A change of the request that the screen asks for.
public enum RequestChange: Sendable, Hashable {
  /// The search text. Asking for the text that is shown already prepares the search, so that its
  /// first key is as fast as the others: do that when a search line opens.
  case search(String)
  /// The predicate; nil for that of the view.
  case predicate(ItemPredicate?)
  /// The sort fields.
  case sort([ItemSortDescriptor])
  /// The section; nil for a list without sections.
  case section(SectionDescriptor?)
  /// The named view; nil for all items.
  case view(String?)
}
