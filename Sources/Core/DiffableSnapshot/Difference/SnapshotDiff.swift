/// The changes of a list between two snapshots, with each section and each item at most once.
///
/// ```swift
/// for change in after.difference(from: before).changes {
///   switch change {
///   case .delete(let item, let from): print("\(item) deleted from \(from)")
///   case .insert(let item, let to): print("\(item) inserted at \(to)")
///   case .move(let item, let from, let to, _): print("\(item) moved from \(from) to \(to)")
///   case .update(let item, _, let to): print("\(item) updated at \(to)")
///   }
/// }
/// ```
///
/// Each `from` is a place in the older snapshot, each `to` a place in the newer one. Items that
/// only shift because of others are not listed. Items of deleted and inserted sections are all
/// listed. The number of moves is minimal.
///
/// ``Snapshot/applying(_:)`` applies a difference. Code that keeps its own arrays applies it in four steps:
///
/// 1. Remove each deleted or moved item, highest index first.
/// 2. Remove deleted and moved sections, highest `from` first. A moved section keeps its other
///    items.
/// 3. Insert inserted and moved sections, lowest `to` first.
/// 4. Insert inserted and moved items, lowest index first.
public struct SnapshotDiff<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// A change of a section, with its numbers in the older and the newer snapshot.
  public enum SectionChange: Hashable, Sendable {
    /// The section is not in the newer snapshot.
    case delete(SectionID, from: Int)
    /// The section is not in the older snapshot.
    case insert(SectionID, to: Int)
    /// The section has another order among those that stay. Its items move with it, except listed ones.
    case move(SectionID, from: Int, to: Int)
    /// The section's title or similar changed. It did not move.
    case update(SectionID, from: Int, to: Int)
  }

  /// A change of an item, with its places in the older and the newer snapshot.
  public enum ItemChange: Hashable, Sendable {
    /// The item is not in the newer snapshot.
    case delete(ItemID, from: Place<SectionID>)
    /// The item is not in the older snapshot.
    case insert(ItemID, to: Place<SectionID>)
    /// The item is in another section, or in another order among those that stay. `isUpdated` is
    /// true if its content changed, too.
    case move(ItemID, from: Place<SectionID>, to: Place<SectionID>, isUpdated: Bool)
    /// The item's content changed. It did not move.
    case update(ItemID, from: Place<SectionID>, to: Place<SectionID>)
  }

  /// The changes of sections: deletes by descending `from`, then inserts and moves by ascending
  /// `to`, then updates by ascending `to`.
  public var sections: [SectionChange]
  /// The changes of items: deletes from the last place to the first, then inserts and moves by
  /// ascending `to`, then updates by ascending `to`.
  public var changes: [ItemChange]

  /// The sections that items leave and enter, in the order of the older and the newer snapshot.
  /// Places alone do not contain that order, which the inverse needs.
  var sourceSections: [SectionID] = []
  var targetSections: [SectionID] = []

  /// Creates a difference by hand, with its changes in the documented order.
  public init(sections: [SectionChange] = [], changes: [ItemChange] = []) {
    self.sections = sections
    self.changes = changes
  }

  @usableFromInline
  init(
    sections: [SectionChange], changes: [ItemChange], sourceSections: [SectionID], targetSections: [SectionID]
  ) {
    self.sections = sections
    self.changes = changes
    self.sourceSections = sourceSections
    self.targetSections = targetSections
  }

  /// True if nothing changed.
  public var isEmpty: Bool { sections.isEmpty && changes.isEmpty }
}

extension SnapshotDiff: Equatable {
  public static func == (a: SnapshotDiff, b: SnapshotDiff) -> Bool {
    a.sections == b.sections && a.changes == b.changes
  }
}

extension SnapshotDiff.SectionChange {
  /// The section that changed.
  public var section: SectionID {
    switch self {
    case .delete(let id, _), .insert(let id, _), .move(let id, _, _), .update(let id, _, _): id
    }
  }

  /// The section's number in the older snapshot, or nil for an insert.
  public var from: Int? {
    switch self {
    case .delete(_, let from), .move(_, let from, _), .update(_, let from, _): from
    case .insert: nil
    }
  }

  /// The section's number in the newer snapshot, or nil for a delete.
  public var to: Int? {
    switch self {
    case .insert(_, let to), .move(_, _, let to), .update(_, _, let to): to
    case .delete: nil
    }
  }
}

extension SnapshotDiff.ItemChange {
  /// The item that changed.
  public var item: ItemID {
    switch self {
    case .delete(let id, _), .insert(let id, _), .move(let id, _, _, _), .update(let id, _, _): id
    }
  }

  /// The item's place in the older snapshot, or nil for an insert.
  public var from: Place<SectionID>? {
    switch self {
    case .delete(_, let from), .move(_, let from, _, _), .update(_, let from, _): from
    case .insert: nil
    }
  }

  /// The item's place in the newer snapshot, or nil for a delete.
  public var to: Place<SectionID>? {
    switch self {
    case .insert(_, let to), .move(_, _, let to, _), .update(_, _, let to): to
    case .delete: nil
    }
  }
}

extension SnapshotDiff: CustomStringConvertible {
  /// One line per change, those of sections first; `no changes` if there are none.
  public var description: String {
    let lines = sections.map(\.description) + changes.map(\.description)
    return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
  }
}

extension SnapshotDiff.ItemChange: CustomStringConvertible {
  /// The change in one line: `+ ada at friends[0]`, `- ada from friends[0]`, `> ada friends[0] →
  /// work[1], changed` or `~ ada at friends[0]`.
  public var description: String {
    switch self {
    case .delete(let item, let from): "- \(item) from \(from)"
    case .insert(let item, let to): "+ \(item) at \(to)"
    case .move(let item, let from, let to, let isUpdated):
      "> \(item) \(from) → \(to)\(isUpdated ? ", changed" : "")"
    case .update(let item, _, let to): "~ \(item) at \(to)"
    }
  }
}

extension SnapshotDiff.SectionChange: CustomStringConvertible {
  /// The change in one line: `+ section work at 1`, `- section work from 1`, `> section work 1 → 0`
  /// or `~ section work at 1`.
  public var description: String {
    switch self {
    case .delete(let section, let from): "- section \(section) from \(from)"
    case .insert(let section, let to): "+ section \(section) at \(to)"
    case .move(let section, let from, let to): "> section \(section) \(from) → \(to)"
    case .update(let section, _, let to): "~ section \(section) at \(to)"
    }
  }
}
