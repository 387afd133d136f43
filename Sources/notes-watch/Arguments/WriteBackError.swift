import PlainStore
import PlainText

/// Why the value of a line cannot be written back into its item.
struct WriteBackError: Error, Sendable, Hashable, CustomStringConvertible {
  enum Reason: Sendable, Hashable {
    /// It was computed of the item's fields.
    case isComputed
    /// It belongs to the elements of this list.
    case isBelowList(FieldPath)
    /// The file has a list here.
    case isMapInsteadOfList(Value)
    /// It has the name of a pseudo-field.
    case isPseudoField
    /// It could be this field, or what `list` computes at this place.
    case mayBeComputed(Value)
    /// This list has several elements that are printed alike, such as the one here.
    case isAmbiguousList(Value, element: Value)
  }

  /// What was edited.
  let path: FieldPath
  let reason: Reason

  /// - Parameter keys: The keys of the line that lead to the value.
  init(_ keys: [String], _ reason: Reason) {
    // One operator reads as such, and not as a key in quotes.
    let place = keys.indices.dropFirst().first { ListOperator(rawValue: keys[$0]) != nil }
    path = FieldPath(
      steps: keys.enumerated().map { index, key in
        index == place ? ListOperator(rawValue: key).map(FieldPath.Step.listOperator) ?? .key(key) : .key(key)
      })
    self.reason = reason
  }

  var description: String {
    switch reason {
    case .isComputed: "`\(path)` is computed from the item's fields, so it cannot be set. Leave it as `list` prints it, or leave it out."
    case .isBelowList(let list):
      "`\(path)` is taken from the elements of the list `\(list)`, so it cannot be set. Print the list itself (--fields \(list)) and edit that."
    case .isMapInsteadOfList: "`\(path)` is a list in the file and a map in the line."
    case .isPseudoField: "`\(path)` is a field of the item, but its name is that of a pseudo-field, so it cannot be set."
    case .mayBeComputed:
      "`\(path)` may be a field, or a number that `list` computes; the line does not say which. Leave it out, or set the field by its name."
    case .isAmbiguousList(_, let element):
      "`\(path)` has elements that are printed alike but differ in the file, and the line does not say which one its \(JSONWriter.text(of: element)) is."
    }
  }

  /// The word of `set` that does what the line asks for; nil if there is none.
  var assignment: String? {
    let value: Value
    switch reason {
    case .isMapInsteadOfList(let new), .mayBeComputed(let new), .isAmbiguousList(let new, _): value = new
    case .isComputed, .isBelowList, .isPseudoField: return nil
    }
    return "\(Assignment.name(of: path)):=\(JSONWriter.text(of: value))"
  }
}

extension Assignment {
  /// A field's path as an assignment has it: a key of more than letters, digits and `_` is in backquotes.
  fileprivate static func name(of path: FieldPath) -> String {
    path.keys.map { key in
      let isPlain = !key.isEmpty && key.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
      return isPlain ? key : "`\(key.replacing("`", with: "``"))`"
    }.joined(separator: ".")
  }
}
