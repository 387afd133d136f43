import Files
import Glibc
import Query
import TextEdits
import Values

/// A change as it was made to one file, with the texts that an undo needs.
struct SavedChange: Sendable {
  /// The id of the item after the change; for a deleted item, its last id.
  var id: Item.ID
  /// The path of the file after the change; for a deleted item, its last path.
  var path: RelativePath
  let format: TextFormat
  /// The text before the change; nil if the file was created.
  let old: [UInt8]?
  /// The text after the change; nil if the file was deleted.
  let new: ItemText?
  /// The mode of the file before the change.
  let mode: mode_t?
  /// The id before the file was moved; nil if it was not moved.
  var oldID: Item.ID?
  /// The folders that were created for the file, outermost first.
  var made: [MadeFolder] = []

  /// The change that undoes this one.
  var inverse: PendingChange {
    var change = PendingChange(
      id: id, act: act, newID: oldID, undo: PendingChange.Undo(mode: mode, made: made))
    if let new {
      let fields = (try? new.fields.get()) ?? PackedValue(.map([:]))
      change.revision = ItemRevision(path: path, fields: fields, bytes: new.bytes)
    }
    return change
  }

  private var act: PendingChange.Act {
    switch (old, new) {
    case (let old?, nil): .insert(.text(old), format, path)
    case (nil, _): .delete
    case (let old?, let new?): old == new.bytes ? .update : .replace(old)
    }
  }
}
