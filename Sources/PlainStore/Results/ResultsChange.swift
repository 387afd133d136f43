public import DiffableSnapshot

/// The change that an update made to one item.
public struct ResultsChange<Object: Sendable>: Sendable {
  /// The object as it is now; for a delete as it was.
  public let object: Object
  /// The object as it was, if the update changed it; otherwise nil.
  public let before: Object?
  /// The change with its places: `from` in the list before the complete update, `to` in the list
  /// after it.
  public let change: SnapshotDiff<SectionID, Item.ID>.ItemChange
  /// The origin of the update.
  public let origin: ResultsUpdate.Origin

  /// The kind of a change.
  ///
  /// There are no other kinds: an item is inserted, deleted, moved or updated.
  public enum Kind: String, Sendable, Hashable {
    case insert, delete, move, update
  }

  /// The kind of this change. A move may also have changed the object.
  public var kind: Kind {
    switch change {
    case .insert: .insert
    case .delete: .delete
    case .move: .move
    case .update: .update
    }
  }

  /// The id by which the list knows the object.
  public var id: Item.ID { change.item }
  /// The place before the update; nil for an insert.
  public var from: Place<SectionID>? { change.from }
  /// The place after the update; nil for a delete.
  public var to: Place<SectionID>? { change.to }
}

extension ResultsUpdate {
  /// Returns the changes of the diff, each with its object.
  ///
  /// - Parameter object: Finds an object in a snapshot.
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
