import Store

/// The kind of an action, for its messages.
public enum ActionKind: Sendable, Hashable {
  case deletion, change, addition, edit

  /// The kind as a noun, such as `the deletion`.
  var noun: String {
    switch self {
    case .deletion: "the deletion"
    case .change: "the change"
    case .addition: "the addition"
    case .edit: "the edit"
    }
  }

  /// The beginning of a sentence about what was done, such as `Deleted`.
  var past: String {
    switch self {
    case .deletion: "Deleted"
    case .change: "Changed"
    case .addition: "Added"
    case .edit: "Saved"
    }
  }

  /// The word for what could not be done, such as `delete`.
  var infinitive: String {
    switch self {
    case .deletion: "delete"
    case .change: "change"
    case .addition: "add"
    case .edit: "save"
    }
  }
}

/// Some items in a sentence: the id of one, or the number of several with the first ids.
struct ItemNames: CustomStringConvertible {
  let description: String

  init(_ ids: [Item.ID]) {
    let first = ids.prefix(2).map(\.item.description).joined(separator: ", ")
    description = ids.count < 2 ? first : "\(ids.count) items (\(first)\(ids.count > 2 ? ", …" : ""))"
  }
}
