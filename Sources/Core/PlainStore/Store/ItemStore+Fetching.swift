public import Files
import HashTreeCollections
public import Query

/// Lists that are fetched once and do not change.
extension ItemStore {
  /// Returns the objects of your own type that a predicate matches now, in order.
  ///
  /// ```swift
  /// let friends = try store.fetch(of: Contact.self, where: "group = \("friends")", sort: "name")
  /// print(friends.map(\.name))
  /// ```
  ///
  /// Costs O(n log n), and the decoding of the objects that it returns.
  ///
  /// - Parameters:
  ///   - type: The type to decode items as.
  ///   - folder: The folder whose items are fetched, with those below it; nil for all items.
  ///   - predicate: The condition that an item must meet. Interpolated values are data; nil for all
  ///     items.
  ///   - sort: The sort descriptors, the most important one first. The id breaks the last ties.
  ///   - limit: The maximum number of objects; nil for no limit.
  /// - Throws: `ItemPredicateError` if the predicate is malformed. The `Problem` of the first
  ///   matching file that does not decode, with its line, so that no object is missing unnoticed. A
  ///   list shows the others.
  public func fetch<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil,
    sort: ItemSortDescriptor...,
    limit: Int? = nil
  ) throws -> [Object] {
    let request = try FetchRequest(in: folder, where: predicate, sort: sort, limit: limit)
    record(type, in: folder)
    let snapshot = ResultsSnapshot(of: currentState, request: request, decoder: decoder(of: type))
    if let path = snapshot.undecodedPaths.values.min(), let problem = snapshot.problemsByPath[path] {
      throw problem
    }
    return TypedSnapshot(snapshot).fetchedObjects
  }

  /// Returns the list that a request shows now. Costs O(n log n).
  ///
  /// ```swift
  /// let latest = store.fetch(FetchRequest(sort: ["-due"], limit: 3))
  /// print(latest.count, latest.max("due") ?? .null)
  /// ```
  ///
  /// - Parameter request: The request to show.
  public func fetch(_ request: FetchRequest) -> ResultsSnapshot {
    ResultsSnapshot(of: currentState, request: request)
  }

  /// Returns the list of the items that a predicate matches now. Costs O(n log n).
  ///
  /// ```swift
  /// let hours = try store.fetch(in: "todos/", where: "done = \(false)").sum("hours")
  /// ```
  ///
  /// - Parameters:
  ///   - folder: The folder whose items are fetched, with those below it; nil for all items.
  ///   - predicate: The condition that an item must meet. Interpolated values are data; nil for all
  ///     items.
  ///   - sort: The sort descriptors, the most important one first. The id breaks the last ties.
  ///   - limit: The maximum number of items; nil for no limit.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func fetch(
    in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil, sort: ItemSortDescriptor...,
    limit: Int? = nil
  ) throws(ItemPredicateError) -> ResultsSnapshot {
    fetch(try FetchRequest(in: folder, where: predicate, sort: sort, limit: limit))
  }

  /// Returns the number of items that a predicate matches now. Costs O(n).
  ///
  /// ```swift
  /// print(try store.count(in: "todos/", where: "done = \(false)"))
  /// ```
  ///
  /// - Parameters:
  ///   - folder: The folder whose items count, with those below it; nil for all items.
  ///   - predicate: The condition that an item must meet. Interpolated values are data; nil for all
  ///     items.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func count(in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil)
    throws(ItemPredicateError) -> Int
  {
    try fetch(in: folder, where: predicate).count
  }

  /// Returns the number of objects of your own type that a predicate matches now. Costs O(n), and
  /// the decoding of the items that match: those that do not decode do not count.
  ///
  /// - Parameters:
  ///   - type: The type to decode items as.
  ///   - folder: The folder whose items count, with those below it; nil for all items.
  ///   - predicate: The condition that an item must meet. Interpolated values are data; nil for all
  ///     items.
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func count<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil
  ) throws(ItemPredicateError) -> Int {
    let request = try FetchRequest(in: folder, where: predicate)
    return ResultsSnapshot(of: currentState, request: request, decoder: decoder(of: type)).count
  }
}
