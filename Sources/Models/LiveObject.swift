public import Observation
public import Query
public import Store

/// One object of a store, which changes with its item, and with the items that the object has links to.
/// Views can observe it.
///
/// ```swift
/// let ada = store.live("ada", as: Contact.self)
/// print(ada.value?.name ?? "nobody")
/// ```
public final class LiveObject<Object: Equatable & Sendable>: Sendable, Observable {
  /// The id of the item.
  public let id: Item.ID
  private let list: LiveList<Object>

  fileprivate init(_ id: Item.ID, in list: LiveList<Object>) {
    self.id = id
    self.list = list
  }

  /// The object as it is now; nil while the store does not have it. A view that reads it follows it. O(1).
  public var value: Object? { list.snapshot.first }

  /// A sequence that begins with the object as it is now, and continues with each change; nil while the
  /// store does not have it.
  public var values: ListSequence<Object?> { list.updates(of: id) }
}

extension ItemStore {
  /// Returns a live object that follows one item, which may not exist yet. No other item is decoded.
  /// O(n) once, then O(1) for changes of other items.
  public func live<Object: Decodable & Equatable & Sendable>(
    _ id: some ItemIDConvertible, as type: Object.Type
  )
    -> LiveObject<Object>
  {
    LiveObject(id.itemID, in: list(of: type, FetchRequest(predicate: "@id = \(id.itemID)")))
  }
}
