import Query
public import Store

extension ListSnapshot where Element: PlainModel {
  /// The model with its own id; nil if the list does not show it.
  ///
  /// ```swift
  /// let ada = try store.list(of: Contact.self).snapshot[id: "ada"]
  /// ```
  ///
  /// O(log n) for a model with the usual `itemID`. O(n) if the type has its own, and if the list
  /// does not show the model.
  public subscript(id id: Element.ID) -> Element? {
    if let item = (id as? any ItemIDConvertible)?.itemID, let element: Element = self[item: item],
      element.id == id
    {
      return element
    }
    return first { $0.id == id }
  }
}
