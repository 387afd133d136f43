import DiffableSnapshot
import Store

/// The changes of an update: their numbers in the complete list, and the marks of the rows in a
/// window.
struct WindowChanges {
  /// The numbers of items that were added, removed, moved, and changed without moving.
  private(set) var inserts = 0
  private(set) var deletes = 0
  private(set) var moves = 0
  private(set) var updates = 0
  /// The marks of the rows in the window.
  private(set) var marks: [Item.ID: Mark] = [:]

  /// The change of a row.
  struct Mark {
    /// The kinds of changes.
    enum Kind: String {
      case insert, move, update
    }

    let kind: Kind
    /// The fields that changed; nil if none did.
    var fields: FieldChanges?
  }

  /// Counts the changes of an update. Costs O(k) for k changes.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - ids: The items in the window.
  init(_ update: ResultsUpdate, in ids: Set<Item.ID>) {
    for change in update.diff.changes {
      let kind: Mark.Kind
      switch change {
      case .delete:
        deletes += 1
        continue
      case .insert:
        inserts += 1
        kind = .insert
      case .move:
        moves += 1
        kind = .move
      case .update:
        updates += 1
        kind = .update
      }
      guard ids.contains(change.item) else { continue }
      let fields = kind == .insert ? nil : update.fieldChanges(of: change.item)
      marks[change.item] = Mark(kind: kind, fields: fields?.isEmpty == true ? nil : fields)
    }
  }
}
