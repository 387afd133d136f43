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

  /// A link in an item: the id that it has, and the path of its value.
  package typealias Link = (id: Item.ID, path: FieldPath)

  /// Returns the links of an item; nil if it does not decode as the type.
  package typealias Links = @Sendable (Item) -> [Link]?

  /// Lock: guards the types of models with which a store was used. Their functions run outside of it.
  private let types = Mutex<[Use: (check: Check, links: Links)]>([:])

  var isEmpty: Bool { types.withLock { $0.isEmpty } }

  /// Records that items of a folder, and of those below it if `isDeep`, were used as a type.
  package func record(
    _ type: Any.Type, in folder: RelativePath, isDeep: Bool, check: @escaping Check, links: @escaping Links
  ) {
    let use = Use(type: ObjectIdentifier(type), folder: folder, isDeep: isDeep)
    types.withLock { if $0[use] == nil { $0[use] = (check, links) } }
  }

  /// Returns the values that no other item may have; nil if the item was no model.
  func validate(_ old: Item, _ new: Item) throws -> [UniqueValue]? {
    let values = try types(of: old).values.compactMap { try $0.check(old, new) }
    return values.isEmpty ? nil : values.flatMap { $0 }
  }

  /// Returns the links of an item by each type that it is.
  private func linksByType(of item: Item) -> [Use: [Link]] {
    types(of: item).compactMapValues { $0.links(item) }
  }

  /// Returns true if an item has a link to the item with this id.
  func hasLink(_ item: Item, to id: Item.ID) -> Bool {
    linksByType(of: item).values.contains { $0.contains { $0.id == id } }
  }

  private func types(of item: Item) -> [Use: (check: Check, links: Links)] {
    let parent = item.path.parent ?? .root
    return types.withLock { $0 }.filter { use, _ in
      use.folder == parent || use.isDeep && (use.folder == .root || item.path.isBelow(use.folder))
    }
  }

  /// Returns the edits that change each link of an item to `id` into one to `newID`, or remove it if that is nil.
  ///
  /// - Throws: `EditError` with the code `linked` if the item would not be of the same types afterwards.
  func edits(of item: Item, from id: Item.ID, to newID: Item.ID?) throws(EditError) -> [TextEdit] {
    let old = linksByType(of: item)
    var seen: Set<FieldPath> = []
    let found = old.values.joined().filter { $0.id == id && seen.insert($0.path).inserted }
    let paths = found.map(\.path)
    // From the last one on, so that the numbers of the other elements stay.
    let edits = paths.reversed().map { path in
      newID.map { TextEdit.set(path, .string($0.text ?? $0.description)) } ?? .remove(path)
    }
    let fields = (try? (item.fields.value.fields ?? [:]).applying(edits)) ?? [:]
    let new = linksByType(of: Item(item, fields))
    let expected = old.mapValues { $0.compactMap { $0.id == id ? newID : $0.id } }
    if new.mapValues({ $0.map(\.id) }) == expected { return edits }
    let names = paths.map { "`\($0)`" }.joined(separator: ", ")
    throw EditError(
      .linked, item.id, item.path,
      newID.map { "Its link \(names) cannot be changed to `\($0)`." }
        ?? "Its type needs the link \(names) to `\(id)`.",
      advice: newID == nil ? "Change the link first, or make it optional in the type." : nil)
  }
}

extension Item {
  fileprivate convenience init(_ item: Item, _ fields: Fields) {
    self.init(id: item.id, path: item.path, stamp: item.stamp, fields: PackedValue(.map(fields)))
  }
}
