package struct UniqueValue: Hashable {
  let path: FieldPath
  let value: Value
  /// Applied to the other items, whose files may have an older form.
  let migration: ItemMigration?

  package init(path: FieldPath, value: Value, migration: ItemMigration? = nil) {
    self.path = path
    self.value = value
    self.migration = migration
  }

  /// The representative of all equal values: numbers and dates are compared by value.
  package static func key(of value: Value) -> Value {
    guard case .date(let date) = value else { return value.canonical }
    return .date(Timestamp(exactly: date.seconds, nanoseconds: date.nanoseconds))
  }
}

/// The check of unique values during one save.
///
/// A change is compared with the items of the store and with the earlier changes of the same save. It is not
/// compared with items that the save has yet to change, so two items can exchange their values.
struct UniquenessCheck {
  private let items: ItemTable
  /// The items that the save has yet to delete, or to give new unique values.
  private var pendingIDs: Set<Item.ID>
  private var changedIDs: Set<Item.ID> = []
  private var changedValues: [FieldPath: [Value: Item.ID]] = [:]
  private var holders: [ItemMigration?: [FieldPath: [Value: [Item.ID]]]] = [:]

  init(_ changes: [PendingChange], among items: ItemTable) {
    self.items = items
    pendingIDs = Set(changes.lazy.filter { !$0.uniqueValues.isEmpty || $0.act == .delete }.map(\.id))
  }

  mutating func record(_ change: PendingChange, hasFailed: Bool) {
    pendingIDs.remove(change.id)
    if hasFailed || change.uniqueValues.isEmpty { return }
    changedIDs.insert(change.id)
    for unique in change.uniqueValues {
      changedValues[unique.path, default: [:]][UniqueValue.key(of: unique.value)] = change.id
    }
  }

  /// Returns the error if another item has a unique value. Costs a pass over all items per unique field.
  mutating func error(of change: PendingChange) -> EditError? {
    for unique in change.uniqueValues {
      let key = UniqueValue.key(of: unique.value)
      let others =
        [changedValues[unique.path]?[key]].compactMap { $0 }
        + holders(of: unique)[key, default: []].filter { id in
          !pendingIDs.contains(id) && !changedIDs.contains(id)
        }
      guard let holder = others.first(where: { $0 != change.id && $0 != change.newID }) else { continue }
      return EditError(
        .invalid, change.id, items[change.id]?.path,
        "The field `\(unique.path)` must be unique, but the item `\(holder)` has the "
          + "value `\(unique.value.text)`, too.",
        advice: "Choose another value.")
    }
    return nil
  }

  private mutating func holders(of unique: UniqueValue) -> [Value: [Item.ID]] {
    if let known = holders[unique.migration]?[unique.path] { return known }
    var found: [Value: [Item.ID]] = [:]
    for item in items.lazy.map({ unique.migration?.current($0.value) ?? $0.value }) {
      if let value = item.value(at: unique.path), value != .null {
        found[UniqueValue.key(of: value), default: []].append(item.id)
      }
    }
    holders[unique.migration, default: [:]][unique.path] = found
    return found
  }
}
