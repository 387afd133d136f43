/// One change to the values of a text.
///
/// A path leads through the values as they are read. An element of a list is named by its number, from 0: `tags[0]`, `/tags/0` or `tags.0`. A path with an
/// operator, or with a place such as `[LAST]`, cannot be written.
public enum TextEdit: Sendable, Hashable {
  /// The value at a path is this from now on. A key that is missing is added behind the others, and so are the maps on the way to it.
  case set(FieldPath, Value)
  /// A key that must not be there yet, behind the others; or an element of a list, before the one that has this number now (or behind the last).
  case insert(FieldPath, Value)
  /// One more element at the end of the list at a path. A list that is missing is made.
  case append(Value, to: FieldPath)
  /// A key with its value, or an element of a list.
  case remove(FieldPath)
  /// The key at a path gets another name, which no key of its map may have, and keeps its place.
  case rename(FieldPath, to: String)

  public var path: FieldPath {
    switch self {
    case .set(let path, _), .insert(let path, _), .append(_, let path), .remove(let path), .rename(let path, _): path
    }
  }

  /// With values as a reader makes them: a string that is wholly a date is one.
  var asRead: TextEdit {
    switch self {
    case .set(let path, let value): .set(path, PackedValue(value).value)
    case .insert(let path, let value): .insert(path, PackedValue(value).value)
    case .append(let value, let path): .append(PackedValue(value).value, to: path)
    case .remove, .rename: self
    }
  }
}
