public import Files
import HashTreeCollections
public import Query
import Synchronization
import Values

/// The lists of a store. A list follows its store for as long as you hold the list, and keeps the
/// store alive. Making one does not block the store.
extension ItemStore {
  /// Makes a live list of the store's items that follows the settings. Costs O(n log n).
  ///
  /// - Parameter request: Returns the request to show. It is called now and each time the settings
  ///   change, and may ask the store and its lists anything. It must not wait for a save.
  /// - Throws: The errors of `request` now. If it throws later, the new settings are a problem and
  ///   the old ones stay.
  public func results(_ request: @escaping RequestResolver) throws(SettingsError) -> FetchedResults {
    try results(request, decoding: nil)
  }

  package func results(_ request: @escaping RequestResolver, decoding decoder: ModelDecoder?)
    throws(SettingsError) -> FetchedResults
  {
    let shared = decoder == nil ? published : nil
    return try register { state throws(SettingsError) in
      let now = try request(state.settings)
      return FetchedResults(state, sharing: shared, request: now, resolving: request, decoding: decoder)
    }
  }

  /// Makes a live list of a request that does not depend on the settings. Costs O(n log n).
  ///
  /// - Parameter request: The request to show; by default all items, in the order of their ids.
  public func results(_ request: FetchRequest = FetchRequest()) -> FetchedResults {
    results(request, decoding: nil)
  }

  package func results(_ request: FetchRequest, decoding decoder: ModelDecoder?) -> FetchedResults {
    let shared = decoder == nil ? published : nil
    return register { state in FetchedResults(state, sharing: shared, request: request, decoding: decoder) }
  }

  /// Makes a list of the store as it is, and registers it once it has the steps made in the meantime.
  func register<Failure: Error>(_ make: (StoreState) throws(Failure) -> FetchedResults)
    throws(Failure) -> FetchedResults
  {
    var known = published.state
    let results = try make(known)
    while let newer = published.register(results, madeOf: known) {
      results.update(with: StoreStep(from: known, to: newer))
      known = newer
    }
    results.state.withLock { $0.owner = self }
    return results
  }
}

extension FetchedResults {
  /// The store of the list; nil for a list that was made without one.
  package var store: ItemStore? { owner as? ItemStore }
}

/// Lists in one line: a type, a folder, a predicate and an order. To fetch once, use `fetch`.
extension ItemStore {

  /// Makes a live list of items. Costs O(n log n).
  ///
  /// ```swift
  /// let open = try store.list(in: "todos/", where: "done = \(false)", sort: "due")
  /// ```
  ///
  /// - Parameters:
  ///   - folder: The folder whose items are listed, with those below it; nil for all items.
  ///   - predicate: The condition of an item, in which interpolated values are data; nil for all items.
  ///   - sort: The most important descriptor first. The id breaks the last ties.
  ///   - section: Nil for one section.
  ///   - search: Each of its words must be in the item; an empty text matches all.
  ///   - searchFields: Empty for all fields and the id.
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
  package init(
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

extension ItemStore {

  /// Returns the list that a request shows now. Costs O(n log n).
  ///
  /// ```swift
  /// let latest = store.fetch(FetchRequest(sort: ["-due"], limit: 3))
  /// print(latest.count, latest.max("due") ?? .null)
  /// ```
  public func fetch(_ request: FetchRequest) -> ResultsSnapshot {
    ResultsSnapshot(of: currentState, request: request)
  }

  /// Returns the list of the items that a predicate matches now. Costs O(n log n).
  ///
  /// ```swift
  /// let hours = try store.fetch(in: "todos/", where: "done = \(false)").sum("hours")
  /// ```
  ///
  /// The parameters are those of `list`.
  ///
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
  /// The parameters are those of `list`.
  ///
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func count(in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil)
    throws(ItemPredicateError) -> Int
  {
    try fetch(in: folder, where: predicate).count
  }
}
