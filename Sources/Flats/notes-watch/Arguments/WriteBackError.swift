import Store
import Values

/// The reason why the value of a line cannot be written back into its item.
struct WriteBackError: Error, Sendable, Hashable, CustomStringConvertible {
  enum Reason: Sendable, Hashable {
    /// The value is computed from the item's fields.
    case isComputed
    /// The value belongs to the elements of this list.
    case isBelowList(FieldPath)
    /// The file has a list here.
    case isMapInsteadOfList(Value)
    /// The field has the name of a pseudo-field.
    case isPseudoField
    /// The value could be this field, or computed by `list`.
    case mayBeComputed(Value)
    /// The list has several elements that look the same when printed, such as this one.
    case isAmbiguousList(Value, element: Value)
  }

  /// The path of the edited value.
  let path: FieldPath
  let reason: Reason

  /// - Parameter keys: The keys of the line that lead to the value.
  init(_ keys: [String], _ reason: Reason) {
    // The first operator is shown as an operator, not as a quoted key.
    let place = keys.indices.dropFirst().first { ListOperator(rawValue: keys[$0]) != nil }
    path = FieldPath(
      steps: keys.enumerated().map { index, key in
        index == place ? ListOperator(rawValue: key).map(FieldPath.Step.listOperator) ?? .key(key) : .key(key)
      })
    self.reason = reason
  }

  var description: String {
    switch reason {
    case .isComputed:
      "`\(path)` is computed from the item's fields, so it cannot be set. Leave it as `list` prints it, or leave it out."
    case .isBelowList(let list):
      "`\(path)` comes from the elements of the list `\(list)`, so it cannot be set. Print the list itself (--fields \(list)) and edit that."
    case .isMapInsteadOfList: "`\(path)` is a list in the file and a map in the line, so it was not replaced."
    case .isPseudoField:
      "`\(path)` is a field of the item with the name of a pseudo-field, so it cannot be set from a line."
    case .mayBeComputed:
      "`\(path)` may be a field or a value that `list` computes; the line does not say which. Leave it out, or set the field by name."
    case .isAmbiguousList(_, let element):
      "`\(path)` has elements that are printed alike but differ in the file, and the line does not say which one its \(JSONWriter.text(of: element)) is."
    }
  }

  /// The word of `set` that makes this edit; nil if there is none.
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
  /// Returns the path as an assignment needs it: a key is in backquotes unless it has only letters,
  /// digits and `_`.
  fileprivate static func name(of path: FieldPath) -> String {
    path.keys.map { key in
      let isPlain =
        !key.isEmpty
        && key.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 }
      return isPlain ? key : "`\(key.replacing("`", with: "``"))`"
    }.joined(separator: ".")
  }
}
