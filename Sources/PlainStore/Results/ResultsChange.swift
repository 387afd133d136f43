public import DiffableSnapshot

/// What an update did to one item.
public struct ResultsChange<Object: Sendable>: Sendable {
  /// As it is now; of a delete as it was.
  public let object: Object
  /// As it was, where it was there and is now another.
  public let before: Object?
  /// What happened, with its places: `from` in the list before the whole update, `to` in the list after it.
  public let change: SnapshotDiff<SectionID, Item.ID>.ItemChange
  public let origin: ResultsUpdate.Origin

  public enum Kind: String, Sendable, Hashable {
    case insert, delete, move, update
  }

  public var kind: Kind {
    switch change {
    case .insert: .insert
    case .delete: .delete
    case .move: .move
    case .update: .update
    }
  }

  /// What the list knows it by.
  public var id: Item.ID { change.item }
  /// Nil for an insert.
  public var from: Place<SectionID>? { change.from }
  /// Nil for a delete.
  public var to: Place<SectionID>? { change.to }
}

extension ResultsUpdate {
  /// Its changes, each with its object. `object` finds one in a snapshot.
  func changes<Object>(_ object: (Item.ID, ResultsSnapshot) -> Object?) -> [ResultsChange<Object>] {
    diff.changes.compactMap { change in
      let isUpdated =
        switch change {
        case .update, .move(_, _, _, isUpdated: true): true
        default: false
        }
      let now = change.to == nil ? object(change.item, old) : object(change.item, new)
      return now.map { now in
        ResultsChange(object: now, before: isUpdated ? object(change.item, old) : nil, change: change, origin: origin)
      }
    }
  }
}
