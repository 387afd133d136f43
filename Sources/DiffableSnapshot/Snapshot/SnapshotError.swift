/// Why a snapshot refused an edit. It is unchanged then.
public enum SnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error, Hashable, Sendable {
  /// The item is in the snapshot already, hidden perhaps, or stands twice among those given.
  case duplicateItem(ItemID)
  /// The section is in the snapshot already, or stands twice among those given.
  case duplicateSection(SectionID)
  case unknownItem(ItemID)
  case unknownSection(SectionID)
  /// Items were to go to the last section, but there is none.
  case noSections
  /// A place beyond the end, or below zero: `limit` is the highest that would have been taken.
  case indexOutOfRange(Int, limit: Int)
  /// An item was to be put before or after itself.
  case itemRelativeToItself(ItemID)
  /// A section was to be put before or after itself.
  case sectionRelativeToItself(SectionID)
  /// A difference says that the item stands somewhere where it does not: it was made for another snapshot.
  case itemNotAt(ItemID, Place<SectionID>)
  /// A difference says that the section has a number that it has not: it was made for another snapshot.
  case sectionNotAt(SectionID, Int)
  /// A difference deletes the section but not all of its items.
  case sectionNotEmpty(SectionID)
}

extension SnapshotError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .duplicateItem(let id): "The item \(id) is there already."
    case .duplicateSection(let id): "The section \(id) is there already."
    case .unknownItem(let id): "There is no item \(id)."
    case .unknownSection(let id): "There is no section \(id)."
    case .noSections: "There is no section to put items into: append one first, or name one."
    case .indexOutOfRange(let index, let limit): "The index \(index) is not from 0 to \(limit)."
    case .itemRelativeToItself(let id): "The item \(id) cannot be put before or after itself."
    case .sectionRelativeToItself(let id): "The section \(id) cannot be put before or after itself."
    case .itemNotAt(let id, let place): "The item \(id) is not at \(place): the difference belongs to another snapshot."
    case .sectionNotAt(let id, let index): "The section \(id) is not at \(index): the difference belongs to another snapshot."
    case .sectionNotEmpty(let id): "The section \(id) is deleted, but some of its items are not."
    }
  }
}
