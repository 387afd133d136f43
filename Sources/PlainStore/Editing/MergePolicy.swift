/// What becomes of a change to an item whose file is no longer as it was read: the meanings of Core Data's `NSMergePolicy`.
///
/// Comments are no fields: where two texts cannot be merged with the comments of both, those of the side that wins stay.
///
/// "The store" is the file as it is now, "the object" what is to be saved. What both sides made the same is no conflict under any policy.
///
/// The policies are those of Core Data; there will be no others.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written, and the save says why. The default: nobody undoes what another did without knowing.
  case error
  /// Merged field by field; of what both changed, the file's value stands. An item that was deleted meanwhile stays deleted.
  case mergeByPropertyStoreTrump
  /// Merged field by field; of what both changed, ours is written. An item that was deleted meanwhile is there again.
  case mergeByPropertyObjectTrump
  /// The item becomes as it was read, with our changes: what was changed meanwhile is lost.
  case overwrite
  /// The file stays as it is: our changes to this item are lost.
  case rollback
}
