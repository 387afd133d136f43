package import Store

/// An action on items, each as it was painted when the key was pressed.
package enum ItemAction: Sendable {
  case edit([PaintedItem])
  case delete([PaintedItem])
  case assign([PaintedItem], words: [String])
  case add(id: String, words: [String])
  /// Save a view in the settings, if these are still those that the person saw.
  case saveView(String, ViewDefinition, settings: Settings)
  case undo
  /// Redo the last undo, unless there was another action since.
  case redo
}

/// An item and the revision of it that was painted.
package struct PaintedItem: Sendable {
  package var id: Item.ID
  /// The state of the item that the person saw.
  var revision: ItemRevision

  init(_ id: Item.ID, _ revision: ItemRevision) {
    self.id = id
    self.revision = revision
  }
}

package struct ActionOutcome: Sendable {
  /// One sentence for the status line.
  package var message: String
  /// True if something was refused or failed.
  package var isFailure: Bool
  /// The difference between what was expected and what is there, when an action was refused.
  var difference: [UInt8]?
  /// The action; nil if the outcome is that of something else.
  var action: ItemAction?
  /// The word of the action that was refused; nil if it is not a single one.
  var word: String?
  var changed: [Item.ID] = []
  /// The items that were refused, if others of the same action were not.
  package var refused: [Item.ID] = []
  /// The step that the next undo takes back; nil if there is none.
  var nextUndo: UndoSummary?
  /// The step that the next redo makes again; nil if there is none.
  var nextRedo: UndoSummary?
  /// The restored or new item, to which the cursor goes; nil if there is none.
  var focus: Item.ID?
  /// The time of day, such as `12:03:04`; nil if it is not known.
  var time: String?

  package init(_ message: String, isFailure: Bool = false, difference: [UInt8]? = nil) {
    self.message = message
    self.isFailure = isFailure
    self.difference = difference
  }
}

/// Turns the words of a form, as those of `set`, into edits of an item that has these fields.
///
/// - Throws: An error whose description says which word is wrong, and why.
package typealias FieldWordParser = @Sendable (_ words: [String], _ fields: Fields) throws -> [TextEdit]

/// The kind of an action, for its messages: its verb.
package enum ActionKind: String, Sendable {
  case delete, change, add, save

  var words: (noun: String, past: String) {
    switch self {
    case .delete: ("the deletion", "Deleted")
    case .change: ("the change", "Changed")
    case .add: ("the addition", "Added")
    case .save: ("the edit", "Saved")
    }
  }
}

extension [Item.ID] {
  /// The items in a sentence: the id of one, or the number of several with the first ids.
  var inWords: String {
    let first = prefix(2).map(\.item.description).joined(separator: ", ")
    return count < 2 ? first : "\(count) items (\(first)\(count > 2 ? ", …" : ""))"
  }
}
