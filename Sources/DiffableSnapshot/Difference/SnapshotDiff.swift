/// What happened to a list between two snapshots: each section and each item at most once.
///
/// Every `from` counts in the snapshot before, every `to` in the one after. That others shifted is not said. To carry a
/// difference out: take out every item that is deleted or moved, the highest index first; take out deleted and moved
/// sections (a moved one with its other items), the highest `from` first; put in inserted and moved sections, the lowest
/// `to` first; put in inserted and moved items, the lowest index first. `Snapshot.applying(_:)` does this.
///
/// Items of deleted and inserted sections are all listed. No move could be left out.
public struct SnapshotDiff<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  public enum SectionChange: Hashable, Sendable {
    case delete(SectionID, from: Int)
    case insert(SectionID, to: Int)
    /// The section's items that are not listed come along.
    case move(SectionID, from: Int, to: Int)
    /// Its title or the like is another; it did not move.
    case update(SectionID, from: Int, to: Int)
  }

  public enum ItemChange: Hashable, Sendable {
    case delete(ItemID, from: Place<SectionID>)
    case insert(ItemID, to: Place<SectionID>)
    /// The item is in another section, or in another order among those that stay. `isUpdated`: its content differs too.
    case move(ItemID, from: Place<SectionID>, to: Place<SectionID>, isUpdated: Bool)
    /// Its content differs; it did not move.
    case update(ItemID, from: Place<SectionID>, to: Place<SectionID>)
  }

  /// Deletes, the highest `from` first; then inserts and moves, the lowest `to` first; then updates, the lowest `to` first.
  public var sections: [SectionChange]
  /// Deletes, the last place first; then inserts and moves, the first `to` first; then updates, the first `to` first.
  public var changes: [ItemChange]

  /// The sections that items come from and go to, in the order before and after: places alone do not tell it, and the
  /// inverse is ordered by it.
  var sourceSections: [SectionID] = []
  var targetSections: [SectionID] = []

  public init(sections: [SectionChange] = [], changes: [ItemChange] = []) {
    self.sections = sections
    self.changes = changes
  }

  @usableFromInline
  init(sections: [SectionChange], changes: [ItemChange], sourceSections: [SectionID], targetSections: [SectionID]) {
    self.sections = sections
    self.changes = changes
    self.sourceSections = sourceSections
    self.targetSections = targetSections
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { sections.isEmpty && changes.isEmpty }
}

extension SnapshotDiff: Equatable {
  public static func == (a: SnapshotDiff, b: SnapshotDiff) -> Bool {
    a.sections == b.sections && a.changes == b.changes
  }
}

extension SnapshotDiff.SectionChange {
  public var section: SectionID {
    switch self {
    case .delete(let id, _), .insert(let id, _), .move(let id, _, _), .update(let id, _, _): id
    }
  }

  /// The section's number in the snapshot before; nil for an insert.
  public var from: Int? {
    switch self {
    case .delete(_, let from), .move(_, let from, _), .update(_, let from, _): from
    case .insert: nil
    }
  }

  /// The section's number in the snapshot after; nil for a delete.
  public var to: Int? {
    switch self {
    case .insert(_, let to), .move(_, _, let to), .update(_, _, let to): to
    case .delete: nil
    }
  }
}

extension SnapshotDiff.ItemChange {
  public var item: ItemID {
    switch self {
    case .delete(let id, _), .insert(let id, _), .move(let id, _, _, _), .update(let id, _, _): id
    }
  }

  /// Where the item stands in the snapshot before; nil for an insert.
  public var from: Place<SectionID>? {
    switch self {
    case .delete(_, let from), .move(_, let from, _, _), .update(_, let from, _): from
    case .insert: nil
    }
  }

  /// Where the item stands in the snapshot after; nil for a delete.
  public var to: Place<SectionID>? {
    switch self {
    case .insert(_, let to), .move(_, _, let to, _), .update(_, _, let to): to
    case .delete: nil
    }
  }
}
