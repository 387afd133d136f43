import Synchronization

/// The model types that a store was used with, and the folders of their items.
///
/// An edit that names no type is validated as each model that the item was before.
package final class KnownModels: Sendable {
  private struct Use: Hashable {
    let type: ObjectIdentifier
    let folder: RelativePath
    let isDeep: Bool
  }

  /// Validates the new version and returns its unique values; nil if the old one is no such model.
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

  /// Returns the values that no other item may have; nil if the item was no model.
  func validate(_ old: Item, _ new: Item) throws -> [UniqueValue]? {
    let parent = old.path.parent ?? .root
    let checks = checks.withLock { $0 }.filter { use, _ in
      use.folder == parent || use.isDeep && (use.folder == .root || old.path.isBelow(use.folder))
    }
    let values = try checks.values.compactMap { check in try check(old, new) }
    return values.isEmpty ? nil : values.flatMap { $0 }
  }
}
