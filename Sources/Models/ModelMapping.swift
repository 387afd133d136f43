import HashTreeCollections
import Store
import Synchronization

/// A transformation of the objects of a list. Each item is transformed once, when it is first
/// shown, and again if an item that its object has a link to changed. A result is kept for as long
/// as anything holds its item.
///
/// One lock guards the results. The closure runs, and objects are released, outside of it. If two
/// tasks transform an item at the same moment, both get the result of the first one to finish.
final class ModelMapping: Sendable {
  private let transform: @Sendable (Item, ListSnapshot<Item>) -> Model?
  /// Lock: guards the objects that `map` made.
  private let results = Mutex(MappedModels())

  init(_ transform: @escaping @Sendable (Item, ListSnapshot<Item>) -> Model?) {
    self.transform = transform
  }

  var function: ItemMapping { { id, snapshot in self.model(of: id, in: snapshot) } }

  private func model(of id: Item.ID, in snapshot: ListSnapshot<Item>) -> Model? {
    guard let item = snapshot.items[id] else { return nil }
    let version = ObjectVersion(item, in: snapshot)
    if let known = results.withLock({ $0[version] }) { return known }
    guard let new = transform(item, snapshot) else { return nil }
    // Releasing an object may run user code, so replaced ones are released outside of the lock.
    let (kept, replaced) = results.withLock { $0.insert(new, for: version) }
    return withExtendedLifetime(replaced) { kept }
  }
}

/// The input of a mapping: an item, and the items that its object has links to.
private struct ObjectVersion {
  let item: Item
  let linked: [Item.ID: Item]

  init(_ item: Item, in snapshot: ListSnapshot<Item>) {
    self.item = item
    let links = snapshot.models?[item.id]?.links ?? []
    linked = links.isEmpty ? [:] : links.reduce(into: [:]) { $0[$1] = snapshot.storeItems[$1] }
  }

  var key: MappedModels.Key {
    MappedModels.Key(item: ObjectIdentifier(item), linked: linked.mapValues { ObjectIdentifier($0) })
  }
}

/// The results of a mapping. Results of released items are removed when the number of entries has
/// doubled, which costs O(1) per insertion.
private struct MappedModels {
  struct Key: Hashable {
    let item: ObjectIdentifier
    let linked: [Item.ID: ObjectIdentifier]
  }

  private struct Entry {
    weak var item: Item?
    /// The linked items. Holding them ensures that no other item gets one of their addresses.
    let linked: [Item.ID: Item]
    let model: Model
  }

  private var entries: [Key: Entry] = [:]
  private var sweepLimit = MappedModels.minSweepLimit

  private static let minSweepLimit = 64

  subscript(version: ObjectVersion) -> Model? {
    // A new item may have the address of a released one.
    entries[version.key].flatMap { $0.item === version.item ? $0.model : nil }
  }

  /// Adds a result, unless there is one. Returns the one that is kept, and those that were removed.
  mutating func insert(_ model: Model, for version: ObjectVersion) -> (kept: Model, replaced: [Model]) {
    if let known = self[version] { return (known, []) }
    var replaced: [Model] = []
    if entries.count >= sweepLimit {
      replaced = entries.values.map(\.model)
      entries = entries.filter { $0.value.item != nil }
      sweepLimit = max(MappedModels.minSweepLimit, entries.count * 2)
    }
    let key = version.key
    if let old = entries[key] { replaced.append(old.model) }
    entries[key] = Entry(item: version.item, linked: version.linked, model: model)
    return (model, replaced)
  }
}
