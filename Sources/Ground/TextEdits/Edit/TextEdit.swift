/// One change to the values of a text.
///
/// A path leads through the values as they are read. An element of a list is named by its number, from 0:
/// `tags[0]`, `/tags/0` or `tags.0`. A path with an operator, or a place such as `[LAST]`, cannot be written.
///
/// `append` and `removeValue` name no position. In a save they apply to the newest list, whatever other
/// programs have done to it since it was read.
///
/// ```swift
/// let edits: [TextEdit] = [
///   .set("rating", 9),
///   .append("new", to: "tags"),
///   .removeValue("old", from: "tags"),
/// ]
/// ```
public enum TextEdit: Sendable, Hashable, CustomStringConvertible {
  /// Sets the value at a path. Missing keys, and the maps that contain them, are added after the others.
  case set(FieldPath, Value)
  /// Inserts a key, which must not exist, after the others; or an element before the current
  /// element of that number, or at the end of the list.
  case insert(FieldPath, Value)
  /// Appends an element to the list at a path. A missing list is created.
  case append(Value, to: FieldPath)
  /// Removes a key with its value, or an element of a list.
  case remove(FieldPath)
  /// Removes the element with this value from the list at a path. Does nothing if there is none; refused if
  /// several elements have this value. Numbers are compared by value: `1` is `1.0`.
  case removeValue(Value, from: FieldPath)
  /// Renames the key at a path, which keeps its position. The new name must not exist in the map.
  case rename(FieldPath, to: String)

  /// The path of the edit.
  public var path: FieldPath {
    switch self {
    case .set(let path, _), .insert(let path, _), .append(_, let path), .remove(let path),
      .removeValue(_, let path),
      .rename(let path, _):
      path
    }
  }

  /// The kind and the path of the edit, such as `set rating`.
  public var description: String {
    switch self {
    case .set: "set \(path)"
    case .insert: "insert \(path)"
    case .append: "append to \(path)"
    case .remove: "remove \(path)"
    case .removeValue: "remove a value from \(path)"
    case .rename(_, let name): "rename \(path) to \(name)"
    }
  }

  /// True if the edit adds or removes an element of the list at its path.
  package var isRelative: Bool {
    switch self {
    case .append, .removeValue: true
    case .set, .insert, .remove, .rename: false
    }
  }

  /// The edit with its value as a reader returns it: a string that is a date becomes one.
  var asRead: TextEdit {
    switch self {
    case .set(let path, let value): .set(path, PackedValue(value).value)
    case .insert(let path, let value): .insert(path, PackedValue(value).value)
    case .append(let value, let path): .append(PackedValue(value).value, to: path)
    case .removeValue(let value, let path): .removeValue(PackedValue(value).value, from: path)
    case .remove, .rename: self
    }
  }
}
