public import Observation
public import Store

/// One object of a list for the main actor, which views observe. It is nil while the list does not
/// show it.
///
/// ```swift
/// @MainActor func show(_ store: ItemStore) {
///   let ada = store.live("ada", as: Contact.self)
///   print(ada.value?.name ?? "nobody")
/// }
/// ```
///
/// It begins with the current object and follows it until the live object is released. Changes of
/// other objects are not observed.
@MainActor @Observable
public final class LiveObject<Object: Equatable & Sendable> {
  /// The id of the item.
  public let id: Item.ID
  /// The list that shows the object.
  public let results: TypedResults<Object>
  /// The object as it is; nil while the list does not show it.
  public private(set) var value: Object?
  @ObservationIgnored private var task: OwnedTask?

  /// Creates an object that follows an item of a list, which may not exist yet. O(log n).
  public init(_ id: Item.ID, in results: TypedResults<Object>) {
    let (snapshot, steps) = results.items.snapshotAndSteps()
    let mapping = results.mapping
    self.id = id
    self.results = results
    value = TypedSnapshot(snapshot.mapped(by: mapping))[id: id]
    task = OwnedTask { [weak self] in
      while let step = await steps.nextStep()?.mapped(by: mapping) {
        if step.changes(id) { await self?.showNewest() }
      }
    }
  }

  private func showNewest() {
    // `settled` may already have shown a newer value than that of the step.
    let newest = results.snapshot[id: id]
    if newest != value { value = newest }
  }

  /// Returns when the value is that of everything that was written before the call, by this program
  /// or by any other. In tests it replaces waiting for some time. Waits and costs as
  /// ``ItemStore/settled()``.
  public func settled() async {
    await results.items.store?.settled()
    showNewest()
  }
}

extension ItemStore {
  /// Returns an observable object for the main actor that follows one item, which may not exist yet.
  /// No other item is decoded. O(n) once, then O(1) for changes of other items.
  @MainActor public func live<Object: Decodable & Equatable & Sendable>(_ id: Item.ID, as type: Object.Type)
    -> LiveObject<Object>
  {
    // The id is data, so the predicate is well-formed.
    let predicate = try? ItemPredicate("@id = \(id)")
    return results(of: type, FetchRequest(predicate: predicate)).live(id)
  }
}

extension TypedResults {
  /// Returns an observable object for the main actor that follows an item, which may not exist yet.
  @MainActor public func live(_ id: Item.ID) -> LiveObject<Object> { LiveObject(id, in: self) }
}
