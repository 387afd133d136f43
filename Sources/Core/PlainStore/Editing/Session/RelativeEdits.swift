import TextEdits
import Values

/// The edits of a change, divided by whether they can conflict with changes of other programs.
///
/// `append` and `removeValue` name no position, so they are applied to the newest list under every
/// merge policy. This does not hold
/// - if another edit of the same change sets, renames or removes that list, a part of it or a value
///   above it: the order of the two matters; or
/// - if the path leads through an element of a list: its number may be that of another element now.
///
/// All other edits are based on the item as it was read.
struct RelativeEdits {
  /// The edits that are based on the item as it was read, in order.
  private(set) var absolute: [TextEdit] = []
  /// The edits that are applied to the newest list, in order.
  private(set) var relative: [TextEdit] = []

  /// Divides the edits of one change.
  ///
  /// - Parameter versions: The item as it was read, and as it is now.
  init(_ edits: [TextEdit], in versions: [Fields]) {
    let others = edits.filter { !$0.isRelative }.flatMap(\.changedPaths)
    for edit in edits {
      let keys = edit.path.keys
      if edit.isRelative, !others.contains(where: { RelativeEdits.overlap($0, keys) }),
        !versions.contains(where: { Value.map($0).hasElement(above: keys) })
      {
        relative.append(edit)
      } else {
        absolute.append(edit)
      }
    }
  }

  /// Returns `fields` with the lists of the relative edits as they are in `newest`.
  func adopting(_ newest: Fields, in fields: Fields) -> Fields {
    relative.reduce(fields) { fields, edit in
      guard case .list(let elements)? = Value.map(newest).element(at: edit.path) else { return fields }
      return (try? fields.applying([.set(edit.path, .list(elements))])) ?? fields
    }
  }

  /// Returns true if the paths are equal, or one leads to a value above the other.
  private static func overlap(_ a: [String], _ b: [String]) -> Bool {
    zip(a, b).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}

extension TextEdit {
  fileprivate var isRelative: Bool {
    switch self {
    case .append, .removeValue: true
    case .set, .insert, .remove, .rename: false
    }
  }

  /// The paths whose values the edit changes. An element that is inserted or removed changes the
  /// numbers of the others.
  fileprivate var changedPaths: [[String]] {
    let keys = path.keys
    guard case .rename(_, let name) = self else { return [keys] }
    return [keys, keys.dropLast() + [name]]
  }
}

extension Value {
  /// Returns true if the way to a value leads through an element of a list.
  fileprivate func hasElement(above keys: [String]) -> Bool {
    var value = self
    for key in keys {
      if case .list = value { return true }
      guard let child = value.element(at: FieldPath(keys: [key])) else { return false }
      value = child
    }
    return false
  }
}
