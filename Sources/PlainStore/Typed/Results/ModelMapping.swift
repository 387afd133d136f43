import Synchronization

/// Turns the objects of a list into others. Each item is transformed once, when it is first shown,
/// and the result is kept for as long as anything holds that item.
///
/// One lock guards the results. The closure runs outside of it. If two tasks transform an item at
/// the same moment, both get the result of the first to finish.
final class ModelMapping: Sendable {
  private let transform: @Sendable (Item, Model?) -> Model?
  private let results = Mutex(MappedModels())

  /// Makes a mapping of items.
  init<Mapped: Equatable & Sendable>(_ transform: @escaping @Sendable (Item) -> Mapped) {
    self.transform = { item, _ in Model(value: transform(item)) }
  }

  /// Makes a mapping of the objects of a list, which may be the results of another mapping.
  init<Object: Sendable, Mapped: Equatable & Sendable>(after first: ModelMapping?, _ transform: @escaping @Sendable (Object) -> Mapped) {
    self.transform = { item, decoded in
      let model = first.map { $0.model(of: item, decoded: decoded) } ?? decoded
      return (model?.value as? Object).map { Model(value: transform($0)) }
    }
  }

  /// Returns the result for an item and the model that was decoded from it; nil if there is no such
  /// model.
  func model(of item: Item, decoded: Model?) -> Model? {
    if let known = results.withLock({ $0[item] }) { return known }
    guard let new = transform(item, decoded) else { return nil }
    return results.withLock { $0.insert(new, for: item) }
  }
}

/// The results of a mapping by the identity of their items. The results of items that nothing holds
/// any more are removed now and then, at O(1) per insertion.
private struct MappedModels {
  private struct Entry {
    weak var item: Item?
    let model: Model
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The number of entries at which to remove those of released items.
  private var sweepLimit = 64

  /// The result for an item; nil if there is none.
  subscript(item: Item) -> Model? {
    // A new item may have the address of a released one.
    entries[ObjectIdentifier(item)].flatMap { $0.item === item ? $0.model : nil }
  }

  /// Adds a result, unless there is one.
  ///
  /// - Returns: The result that is kept.
  mutating func insert(_ model: Model, for item: Item) -> Model {
    if let known = self[item] { return known }
    if entries.count >= sweepLimit {
      entries = entries.filter { $0.value.item != nil }
      sweepLimit = max(64, entries.count * 2)
    }
    entries[ObjectIdentifier(item)] = Entry(item: item, model: model)
    return model
  }
}
