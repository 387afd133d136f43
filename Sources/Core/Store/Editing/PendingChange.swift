import Glibc

/// The changes to one item that a save makes together.
package struct PendingChange {
  enum Act: Hashable {
    case insert(NewContent, TextFormat?, RelativePath?)
    case update
    case replace([UInt8])
    case delete
  }

  enum NewContent: Hashable {
    /// Fields that are added to the defaults of the settings. See `NewItems.plan` for `isTyped`.
    case fields(Fields, isTyped: Bool)
    case planned(Fields, TextStyle?)
    case text([UInt8])
  }

  let id: Item.ID
  var act: Act
  package internal(set) var edits: [TextEdit] = []
  var revision: ItemRevision?
  var uniqueValues: [UniqueValue] = []
  /// The id that the item gets after the act and the edits; nil if it keeps its id.
  var newID: Item.ID?
  /// Set for an undo, which is made only if the file has the bytes of `revision`, under every policy.
  var undo: Undo?
  /// True if an earlier change of the same scope takes the item away. Without its file it is then no
  /// item that another program deleted, and no policy brings it back.
  var followsRemoval = false

  /// True for a complete model of an unknown version: it conflicts with an item that has other values.
  package var lacksOriginal = false
  /// Returns the edits that give fields the form of the model whose values are saved; nil if there is no older
  /// form. The edits of the change begin with those of its file as it was read.
  package var migration: (@Sendable (Fields) -> [TextEdit])?
  /// True for a change of the settings file, which is no item.
  var isOfSettings = false
  /// True if edits were added that name no model type.
  var hasUntypedEdits = false
  /// The hook of the model whose values are saved; nil if nothing of a model changes.
  package var didSave: (@Sendable () -> Void)?
  /// The error of `validate` after such edits.
  var violation: String?

  struct Undo {
    /// The mode of the file to create; nil for the default.
    var mode: mode_t?
    /// The folders that the saved change created. Those that are empty after the undo are removed.
    var made: [MadeFolder] = []
  }

  var isCheck: Bool { act == .update && edits.isEmpty }

  var onlyChecks: Bool { isCheck && newID == nil && undo == nil }

  package var isInsertion: Bool { if case .insert = act { true } else { false } }
}

extension PendingChange: CustomStringConvertible {
  package var description: String {
    let name =
      switch act {
      case .insert: "insert \(id)"
      case .update: isCheck && newID != nil ? "" : "update \(id)"
      case .replace: "replace \(id)"
      case .delete: "delete \(id)"
      }
    let rename = newID.map { "rename \(id) to \($0)" } ?? ""
    return name + (name.isEmpty || rename.isEmpty ? "" : " and ") + rename
  }
}

extension PendingChange {
  /// Throws if the changed model is not valid, or if the change would add a key with the name of a
  /// pseudo-field: it would be hidden, as if the change had no effect. A key that the file has can be edited.
  func checkFields(in fields: () -> Fields?) throws(EditError) {
    if let violation { throw EditError(.invalid, id, revision?.path, violation) }
    var paths: [FieldPath] = []
    for edit in edits {
      if PseudoField(edit.path) != nil, fields()?[edit.path.keys[0]] == nil { paths.append(edit.path) }
      if case .rename(let path, let name) = edit, path.keys.count == 1 {
        paths.append(FieldPath(keys: [name]))
      }
    }
    if case .insert(.fields(let fields, _), _, _) = act { paths += fields.map { FieldPath(keys: [$0.key]) } }
    guard let field = paths.lazy.compactMap({ PseudoField($0) }).first else { return }
    let advice: String? =
      switch field {
      case .id, .path, .dir, .name: "Rename the item instead."
      case .ext, .modified, .created, .size: nil
      }
    throw EditError(
      .refused, id, revision?.path,
      "`\(field.rawValue)` is computed from the file and cannot be changed.", advice: advice)
  }
}

/// The state of an item at one reading. A save compares the file with it to detect changes by other programs.
package struct ItemRevision: Sendable, CustomStringConvertible {
  /// The path of the file at that time.
  package let path: RelativePath
  let stamp: FileStamp
  let fields: PackedValue
  /// The text of the file; nil if only the values were kept.
  let bytes: [UInt8]?

  /// The path, and the size that the file had.
  package var description: String { "\(path), \(stamp.size) bytes" }

  package init(path: RelativePath, stamp: FileStamp, fields: PackedValue, bytes: [UInt8]? = nil) {
    self.path = path
    self.stamp = stamp
    self.fields = fields
    self.bytes = bytes
  }

  /// The revision of a text that was read without a store; one that cannot be read has an empty map.
  package init(path: RelativePath, fields: PackedValue, bytes: [UInt8]) {
    // The bytes decide, so the stamp does not matter.
    self.init(
      path: path, stamp: FileStamp(size: UInt64(bytes.count), at: FileTime(seconds: 0)), fields: fields,
      bytes: bytes)
  }

  /// Returns true if both readings found the same values at the same path. The file may have been
  /// written in between, with other comments or without a change.
  package func hasSameValues(as other: ItemRevision) -> Bool { path == other.path && fields == other.fields }

  /// Returns true if a file still holds the text; if that was not kept, the stamps decide.
  func isText(of file: FileContent) -> Bool {
    if let bytes { return bytes == file.text.bytes }
    return stamp.isUntouched(file.stamp)
  }
}

extension Item {
  /// The state of the item at this reading, for a change that is based on it.
  package var revision: ItemRevision { ItemRevision(path: path, stamp: stamp, fields: fields) }
}

extension FileStamp {
  /// Returns true if the file was neither replaced nor written; a new name, owner or mode does not count.
  func isUntouched(_ other: FileStamp) -> Bool {
    identity == other.identity && size == other.size && modified == other.modified
  }
}
