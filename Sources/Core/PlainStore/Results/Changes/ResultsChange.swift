public import DiffableSnapshot
public import Query

/// The change that an update made to one object of a list.
///
/// ```swift
/// for await change in store.results().changes { print(change) }
/// // + ada at 0             ada is new, at position 0
/// // - ada from 1           ada is gone
/// // > bob 1 → 0, changed   bob moved, and is different
/// // ~ ada at 2             ada is different, at the same place
/// ```
public struct ResultsChange<Object: Sendable>: Sendable {
  /// The object as it is now; for a delete as it was.
  public let object: Object
  /// The object as it was, if the update changed it; otherwise nil.
  public let before: Object?
  /// The change with its places: `from` in the list before the complete update, `to` in the list
  /// after it.
  public let change: SnapshotDiff<SectionID, Item.ID>.ItemChange
  /// The cause of the update.
  public let origin: ResultsUpdate.Origin
  /// The section number and the number in the section before the update; nil for an insert.
  public let fromIndexPath: ItemIndexPath?
  /// The section number and the number in the section after the update; nil for a delete.
  public let toIndexPath: ItemIndexPath?
  /// True if the old and the new list have sections, so that a position needs the section's name.
  let hasSections: (old: Bool, new: Bool)

  /// The kind of a change.
  public typealias Kind = ResultsChangeKind

  /// The kind of this change. A move may also have changed the object.
  public var kind: Kind {
    switch change {
    case .insert: .insert
    case .delete: .delete
    case .move: .move
    case .update: .update
    }
  }

  /// True if the object itself changed: for an update, and for a move that also changed it.
  public var isChanged: Bool { change.isUpdated }

  /// The id by which the list knows the object.
  public var id: Item.ID { change.item }
  /// The place before the update, by the section's id; nil for an insert.
  public var from: Place<SectionID>? { change.from }
  /// The place after the update, by the section's id; nil for a delete.
  public var to: Place<SectionID>? { change.to }
}

/// The kind of a change to an item or a section.
///
/// There are no other kinds: each is inserted, deleted, moved or updated.
public enum ResultsChangeKind: String, Sendable, Hashable, CustomStringConvertible {
  case insert, delete, move, update

  /// The word for the kind, such as `insert`.
  public var description: String { rawValue }

  /// The sign at the beginning of a printed change.
  var sign: String {
    switch self {
    case .insert: "+"
    case .delete: "-"
    case .move: ">"
    case .update: "~"
    }
  }
}

extension ResultsChange: CustomStringConvertible {
  /// The change in one line: `+ ada at 0`, `- ada from 1`, `> bob 1 → 0, changed` or `~ ada at 2`.
  /// In a list with sections, places have their names: `> bob friends[1] → work[0]`.
  public var description: String {
    let (old, new) = (text(from, hasSections.old), text(to, hasSections.new))
    let places =
      switch kind {
      case .insert, .update: "at \(new)"
      case .delete: "from \(old)"
      case .move: "\(old) → \(new)\(isChanged ? ", changed" : "")"
      }
    return "\(kind.sign) \(Printing.text(id)) \(places)"
  }

  private func text(_ place: Place<SectionID>?, _ hasSections: Bool) -> String {
    place.map { hasSections ? "\(Printing.name(of: $0.section))[\($0.index)]" : String($0.index) } ?? ""
  }
}

extension SnapshotDiff.ItemChange {
  /// True if the content of the item changed.
  var isUpdated: Bool {
    switch self {
    case .update, .move(_, _, _, isUpdated: true): true
    case .insert, .delete, .move: false
    }
  }
}
