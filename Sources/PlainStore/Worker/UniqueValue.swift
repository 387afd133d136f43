import HashTreeCollections
import PlainText

/// A value of an item that no other item may have.
struct UniqueValue: Sendable, Hashable {
  let path: FieldPath
  let value: Value

  /// Returns true if the fields of another item have the value. Numbers and dates are compared by
  /// their values.
  func isValue(of other: Value?) -> Bool {
    switch (value, other) {
    case (.number(let own), .number(let other)?): own.hasSameValue(as: other)
    case (.date(let own), .date(let other)?): own.seconds == other.seconds && own.nanoseconds == other.nanoseconds
    default: value == other
    }
  }
}

extension StoreWorker {
  /// Returns the error for a change that would give an item a unique value of another one.
  ///
  /// It is compared with the items of the store and with the changes of the same save: those that
  /// were made, and not with items that are still to be changed. O(n) for a change with unique
  /// values.
  func uniquenessError(of change: PendingChange, in save: ActiveSave) -> EditError? {
    if change.uniqueValues.isEmpty { return nil }
    let made = save.uniqueChanges.filter { save.outcomes[$0.offset]?.error == nil && $0.element.id != change.id }.map(\.element)
    let others = Set(
      made.map(\.id) + save.rest.lazy.filter { !$0.element.uniqueValues.isEmpty || $0.element.act == .delete }.map(\.element.id))
    for unique in change.uniqueValues {
      let holder =
        made.first { $0.uniqueValues.contains { $0.path == unique.path && $0.isValue(of: unique.value) } }?.id
        ?? contents.model.items.first { id, item in
          id != change.id && !others.contains(id) && unique.isValue(of: item.value(at: unique.path))
        }?.key
      guard let holder else { continue }
      return EditError(
        .invalid, change.id, contents.model.items[change.id]?.path,
        "The field `\(unique.path)` must be unique, but the item `\(holder)` has the value `\(unique.value.text)`, too. Choose another value."
      )
    }
    return nil
  }
}
