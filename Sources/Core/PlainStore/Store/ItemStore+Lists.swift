public import Files
public import Query
import Values

/// Lists in one line: a type, a folder, a predicate and an order.
///
/// A list follows its store for as long as you hold the list, and keeps the store alive. To fetch
/// once, use `fetch`.
extension ItemStore {
  /// Makes a live list of your own type.
  ///
  /// ```swift
  /// let least = 3
  /// let best = try store.list(of: Contact.self, where: "rating >= \(least)", sort: "-rating", "name")
  /// let people = try store.list(of: Contact.self, in: "people/", sort: "name", search: "ada", limit: 20)
  /// let byLength = try store.list(of: Contact.self, sortedBy: \.name.count, sectionedBy: { $0.rating > 5 ? "top" : "rest" })
  /// ```
  ///
  /// Only items in the folder that the predicate matches are decoded. One that does not decode is a
  /// problem at its line and keeps its last good value; all others are listed. Costs O(n log n).
  ///
  /// - Parameters:
  ///   - type: The type to decode items as.
  ///   - folder: The folder whose items are listed, with those below it; nil for all items.
  ///   - predicate: The condition that an item must meet. Interpolated values are data; nil for all
  ///     items.
  ///   - sort: The sort descriptors, the most important one first. The id breaks the last ties.
  ///   - section: The rule that divides the list into sections; nil for one section.
  ///   - search: The search text. Each of its words must be in the item; an empty text matches all.
  ///   - searchFields: The fields that `search` searches; empty for all fields and the id.
  ///   - limit: The maximum number of items; nil for no limit.
  ///   - key: Returns the value to sort objects by. `sort` then breaks the ties. For a descending
  ///     order, use `ItemSortDescriptor(of:by:descending:)`.
  ///   - name: Returns the name of an object's section, and replaces `section`. For an order or
  ///     titles of sections, use `SectionDescriptor(of:by:descending:order:titles:)`.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func list<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil,
    sort: ItemSortDescriptor...,
    section: SectionDescriptor? = nil, search: String = "", searchFields: [FieldPath] = [], limit: Int? = nil,
    sortedBy key: (@Sendable (Object) -> (any PredicateValueConvertible)?)? = nil,
    sectionedBy name: (@Sendable (Object) -> String?)? = nil
  ) throws(ItemPredicateError) -> TypedResults<Object> {
    let sort = (key.map { [ItemSortDescriptor(of: type, by: $0)] } ?? []) + sort
    let section = name.map { SectionDescriptor(of: type, by: $0) } ?? section
    return results(
      of: type,
      try FetchRequest(
        in: folder, where: predicate, sort: sort, section: section, search: search,
        searchFields: searchFields, limit: limit))
  }

  /// Makes a live list of items.
  ///
  /// ```swift
  /// let open = try store.list(in: "todos/", where: "done = \(false)", sort: "due")
  /// ```
  ///
  /// Costs O(n log n).
  ///
  /// - Parameters:
  ///   - folder: The folder whose items are listed, with those below it; nil for all items.
  ///   - predicate: The condition that an item must meet. Interpolated values are data; nil for all
  ///     items.
  ///   - sort: The sort descriptors, the most important one first. The id breaks the last ties.
  ///   - section: The rule that divides the list into sections; nil for one section.
  ///   - search: The search text. Each of its words must be in the item; an empty text matches all.
  ///   - searchFields: The fields that `search` searches; empty for all fields and the id.
  ///   - limit: The maximum number of items; nil for no limit.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func list(
    in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil, sort: ItemSortDescriptor...,
    section: SectionDescriptor? = nil, search: String = "", searchFields: [FieldPath] = [], limit: Int? = nil
  ) throws(ItemPredicateError) -> FetchedResults {
    results(
      try FetchRequest(
        in: folder, where: predicate, sort: sort, section: section, search: search,
        searchFields: searchFields, limit: limit))
  }
}

extension FetchRequest {
  init(
    in folder: RelativePath?, where predicate: PredicateFormat?, sort: [ItemSortDescriptor] = [],
    section: SectionDescriptor? = nil,
    search: String = "", searchFields: [FieldPath] = [], limit: Int? = nil
  ) throws(ItemPredicateError) {
    let predicate = try predicate.map { format throws(ItemPredicateError) in try ItemPredicate(format) }
    self.init(
      sort: sort, section: section, folder: folder, predicate: predicate, search: search,
      searchFields: searchFields, limit: limit)
  }
}
