public import Query

extension TypedSnapshot where Object: PlainModel {
  /// The model with its own id; nil if the list does not show it.
  ///
  /// ```swift
  /// let ada = store.results(of: Contact.self).snapshot[id: "ada"]
  /// ```
  ///
  /// O(log n) for a model with the usual `itemID`. O(n) if the type has its own, and if the list
  /// does not show the model.
  public subscript(id id: Object.ID) -> Object? {
    if let item = Item.ID(usualFor: id), let object: Object = self[item: item], object.id == id {
      return object
    }
    return first { $0.id == id }
  }

  fileprivate subscript(item id: Item.ID) -> Object? {
    items[id: id] == nil ? nil : items.listedObject(id, as: Object.self)
  }
}

extension TypedSnapshot where Object: PlainModel, Object.ID == Item.ID {
  /// The model with an id; nil if the list does not show it. O(log n).
  public subscript(id id: Item.ID) -> Object? { self[item: id] }
}
