/// The treatment of a change to an item whose file was changed since it was read, as in Core Data's
/// `NSMergePolicy`.
///
/// "The store" is the file as it is now, "the object" is the change to save. If both sides made the
/// same change, a merge by property has no conflict. Under `error` that is a conflict too: two
/// programs that increment one counter must not count as one. Comments are not fields: if two texts
/// cannot be merged with the comments of both, those of the side that wins are kept.
///
/// `TextEdit.append` and `TextEdit.removeValue` never conflict: under every policy they are applied
/// to the newest list, unless the same change also sets that list or their path leads through an
/// element of a list.
///
/// The policies are those of Core Data; there will be no others.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written, and the save fails with `conflict`. The default: no change is undone
  /// unnoticed.
  case error
  /// Merges field by field. If both sides changed a field, the file's value wins. A deleted item
  /// stays deleted.
  case mergeByPropertyStoreTrump
  /// Merges field by field. If both sides changed a field, our value wins. A deleted item is
  /// created again.
  case mergeByPropertyObjectTrump
  /// Writes the item as it was read, with our changes. Changes by other programs since then are
  /// lost.
  case overwrite
  /// Leaves the file as it is. Our changes to this item are lost.
  case rollback
}
