public import DirectoryWatch
import PlainText

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
  ///   - limit: The maximum number of items; nil for no limit.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func list<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil, sort: ItemSortDescriptor...,
    section: SectionDescriptor? = nil, search: String = "", limit: Int? = nil
  ) throws(ItemPredicateError) -> TypedResults<Object> {
    results(of: type, try FetchRequest(in: folder, where: predicate, sort: sort, section: section, search: search, limit: limit))
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
  ///   - limit: The maximum number of items; nil for no limit.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func list(
    in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil, sort: ItemSortDescriptor...,
    section: SectionDescriptor? = nil, search: String = "", limit: Int? = nil
  ) throws(ItemPredicateError) -> FetchedResults {
    results(try FetchRequest(in: folder, where: predicate, sort: sort, section: section, search: search, limit: limit))
  }
}

extension FetchRequest {
  /// Creates the request of a list.
  init(
    in folder: RelativePath?, where predicate: PredicateFormat?, sort: [ItemSortDescriptor] = [], section: SectionDescriptor? = nil,
    search: String = "", limit: Int? = nil
  ) throws(ItemPredicateError) {
    self.init(sort: sort, section: section, search: search, limit: limit)
    if let predicate { self.predicate = try ItemPredicate(predicate) }
    guard let folder, folder != .root else { return }
    let isInFolder = try ItemPredicate("@path BEGINSWITH \(folder.description + "/")")
    guard let own = self.predicate else {
      self.predicate = isInFolder
      return
    }
    self.predicate = try ItemPredicate("\(predicate: own) AND \(predicate: isInFolder)")
  }
}
