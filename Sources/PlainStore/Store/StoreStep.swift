package import DirectoryWatch
package import HashTreeCollections

/// All that a view needs to know of a store, at one moment. Shares its structure with the moments before and after.
package struct StoreState: Sendable {
  package var items: TreeDictionary<Item.ID, Item>
  package var problems: TreeDictionary<RelativePath, Problem>
  package let settings: Settings
  /// Goes up with each step.
  package let version: Int
  /// What the items are decoded to, for a list of the caller's own type.
  package var models: TreeDictionary<Item.ID, Model>?
}

/// What the store hands to its results: where it stands now, and what is not as it was in the step before.
package struct StoreStep: Sendable {
  package let state: StoreState
  package let changes: StoreChanges
  package let origin: ResultsUpdate.Origin
  /// When the first of the changes was noticed; nil where no event told of them.
  package var since: SuspendingClock.Instant?
}
