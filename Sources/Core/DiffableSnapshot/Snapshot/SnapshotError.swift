/// An edit that a snapshot rejected. The snapshot is unchanged.
///
/// Each case is a precondition of an edit, so more come only with more kinds of edits.
public enum SnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error, Hashable,
  Sendable
{
  /// The item is already in the snapshot, perhaps hidden, or it is twice in the argument.
  case duplicateItem(ItemID)
  /// The section is already in the snapshot, or it is twice in the argument.
  case duplicateSection(SectionID)
  /// The item is not in the snapshot.
  case unknownItem(ItemID)
  /// The section is not in the snapshot.
  case unknownSection(SectionID)
  /// There is no last section to append items to.
  case noSections
  /// The index is negative or after the end. `limit` is the highest valid index.
  case indexOutOfRange(Int, limit: Int)
  /// An item cannot be moved before or after itself.
  case itemRelativeToItself(ItemID)
  /// A section cannot be moved before or after itself.
  case sectionRelativeToItself(SectionID)
  /// The difference has another place for the item: it belongs to another snapshot.
  case itemNotAt(ItemID, Place<SectionID>)
  /// The difference has another number for the section: it belongs to another snapshot.
  case sectionNotAt(SectionID, Int)
  /// The difference deletes the section but not all its items.
  case sectionNotEmpty(SectionID)
}

extension SnapshotError: CustomStringConvertible {
  /// A sentence that says what is wrong and, where possible, what to do.
  public var description: String {
    switch self {
    case .duplicateItem(let id): "The item \(id) is already in the list."
    case .duplicateSection(let id): "The section \(id) is already in the list."
    case .unknownItem(let id): "There is no item \(id)."
    case .unknownSection(let id): "There is no section \(id)."
    case .noSections: "There is no section to append items to. Append a section first."
    case .indexOutOfRange(let index, let limit): "The index \(index) is not between 0 and \(limit)."
    case .itemRelativeToItself(let id): "The item \(id) cannot be moved before or after itself."
    case .sectionRelativeToItself(let id): "The section \(id) cannot be moved before or after itself."
    case .itemNotAt(let id, let place):
      "The item \(id) is not at \(place): the difference belongs to another snapshot."
    case .sectionNotAt(let id, let index):
      "The section \(id) is not at \(index): the difference belongs to another snapshot."
    case .sectionNotEmpty(let id): "The difference deletes the section \(id) but not all its items."
    }
  }
}
