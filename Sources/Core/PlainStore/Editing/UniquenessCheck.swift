package import Files
package import Query
import Synchronization
package import Values

/// A value of an item that no other item may have.
package struct UniqueValue: Sendable, Hashable {
  let path: FieldPath
  let value: Value

  package init(path: FieldPath, value: Value) {
    self.path = path
    self.value = value
  }

  /// Returns the representative of all values that count as equal to this one. Numbers and dates
  /// are compared by value.
  static func key(of value: Value) -> ValueKey {
    guard case .date(let date) = value else { return ValueKey(value) }
    return ValueKey(.date(Timestamp(exactly: date.seconds, nanoseconds: date.nanoseconds)))
  }
}

/// The check of unique values during one save.
///
/// A change is compared with the items of the store and with the earlier changes of the same save.
/// It is not compared with items that the save has yet to change, so two items can exchange their
/// values.
struct UniquenessCheck {
  private let items: ItemTable
  /// The items that the save has yet to delete, or to give new unique values.
  private var pendingIDs: Set<Item.ID>
  /// The items whose unique values were changed, and these values.
  private var changedIDs: Set<Item.ID> = []
  private var changedValues: [FieldPath: [ValueKey: Item.ID]] = [:]
  /// The items of the store by their values, for each field that was checked.
  private var holders: [FieldPath: [ValueKey: [Item.ID]]] = [:]

  init(_ changes: [PendingChange], among items: ItemTable) {
    self.items = items
    pendingIDs = Set(changes.lazy.filter { !$0.uniqueValues.isEmpty || $0.act == .delete }.map(\.id))
  }

  /// Records that a change was made, or has failed.
  mutating func record(_ change: PendingChange, hasFailed: Bool) {
    pendingIDs.remove(change.id)
    if hasFailed || change.uniqueValues.isEmpty { return }
    changedIDs.insert(change.id)
    for unique in change.uniqueValues {
      changedValues[unique.path, default: [:]][UniqueValue.key(of: unique.value)] = change.id
    }
  }

  /// Returns the error for a change that would give an item the unique value of another item. Costs
  /// a pass over all items for each unique field of a save.
  mutating func error(of change: PendingChange) -> EditError? {
    for unique in change.uniqueValues {
      let key = UniqueValue.key(of: unique.value)
      let others =
        [changedValues[unique.path]?[key]].compactMap { $0 }
        + holders(of: unique.path)[key, default: []].filter { id in
          !pendingIDs.contains(id) && !changedIDs.contains(id)
        }
      guard let holder = others.first(where: { $0 != change.id && $0 != change.newID }) else { continue }
      return EditError(
        .invalid, change.id, items[change.id]?.path,
        "The field `\(unique.path)` must be unique, but the item `\(holder)` has the value `\(unique.value.text)`, too. Choose another value."
      )
    }
    return nil
  }

  private mutating func holders(of path: FieldPath) -> [ValueKey: [Item.ID]] {
    if let known = holders[path] { return known }
    var found: [ValueKey: [Item.ID]] = [:]
    for item in items.lazy.map(\.value) {
      if let value = item.value(at: path), value != .null {
        found[UniqueValue.key(of: value), default: []].append(item.id)
      }
    }
    holders[path] = found
    return found
  }
}

/// The model types that a store was used with, and the folders of their items.
///
/// An edit that names no type is validated as each model that the item was before.
package final class KnownModels: Sendable {
  private struct Use: Hashable {
    let type: ObjectIdentifier
    let folder: RelativePath
    /// True for a list, which has the items in all folders below its own.
    let isDeep: Bool
  }

  /// Validates the new version of an item and returns its unique values; nil if the old version is
  /// no such model.
  package typealias Check = @Sendable (_ old: Item, _ new: Item) throws -> [UniqueValue]?

  /// The checks of the types. Guards only this; the checks run outside of it.
  /// Lock: guards the types of models with which a store was used.
  private let checks = Mutex<[Use: Check]>([:])

  var isEmpty: Bool { checks.withLock { $0.isEmpty } }

  /// Records that items of a folder, and of those below it if `isDeep`, were used as a type.
  package func record(_ type: Any.Type, in folder: RelativePath, isDeep: Bool, check: @escaping Check) {
    let use = Use(type: ObjectIdentifier(type), folder: folder, isDeep: isDeep)
    checks.withLock { if $0[use] == nil { $0[use] = check } }
  }

  /// Validates an edited item as each model that it was before.
  ///
  /// - Returns: The values of the item that no other item may have; nil if it was no model.
  /// - Throws: The error of `validate`.
  func validate(_ old: Item, _ new: Item) throws -> [UniqueValue]? {
    let parent = old.path.parent ?? .root
    let checks = checks.withLock { $0 }.filter { use, _ in
      use.folder == parent || use.isDeep && (use.folder == .root || old.path.isBelow(use.folder))
    }
    let values = try checks.values.compactMap { check in try check(old, new) }
    return values.isEmpty ? nil : values.flatMap { $0 }
  }
}
