import Files
import HashTreeCollections
public import Query
import Synchronization
public import Values

/// The lists of a store. A list follows its store for as long as you hold the list, and keeps the
/// store alive. Making one does not block the store.
extension ItemStore {
  /// Makes a live list of items. Costs O(n log n).
  ///
  /// ```swift
  /// let open = try store.list(in: "todos/", where: "done = \(false)", sort: "due")
  /// ```
  ///
  /// Everything but the folder can be changed later, as in `open.search = "report"`.
  ///
  /// - Parameters:
  ///   - folder: The folder whose items are listed, with those below it; nil for all items.
  ///   - predicate: The condition of an item, in which interpolated values are data; nil for all items.
  ///   - sort: The most important descriptor first. The id breaks the last ties.
  ///   - section: The rule that makes sections; nil for one section.
  ///   - search: Each of its words must be in the item; an empty text matches all.
  ///   - searchFields: The fields that are searched; empty for all fields and the id.
  ///   - limit: The largest number of items to show; nil for all.
  ///   - offset: The number of items to leave out at the front.
  /// - Throws: `ItemPredicateError` if the predicate is malformed, `StoreError` if `folder` is not below the
  ///   root.
  public func list(
    in folder: String? = nil, where predicate: ItemPredicate? = nil, sort: ItemSortDescriptor...,
    section: SectionDescriptor? = nil, search: String = "", searchFields: [FieldPath] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws -> LiveList<Item> {
    list(
      try FetchRequest(
        in: folder, where: predicate, sort: sort, section: section, search: search,
        searchFields: searchFields, limit: limit, offset: offset))
  }

  /// Makes a live list of a request that does not depend on the settings. Costs O(n log n).
  package func list(_ request: FetchRequest) -> LiveList<Item> { LiveList(list(request, decoding: nil)) }

  /// Makes a live list of the store's items that follows the settings. Costs O(n log n).
  ///
  /// - Parameter request: Returns the request to show. It is called now and each time the settings
  ///   change, and may ask the store and its lists anything. It must not wait for a save.
  /// - Throws: The errors of `request` now. If it throws later, that is a problem of the settings, and the
  ///   list stays as it is.
  package func list(_ request: @escaping RequestResolver) throws(SettingsError) -> LiveList<Item> {
    LiveList(
      try register { state throws(SettingsError) in
        let now = try request(state.settings)
        return SharedList(state, sharing: published, request: now, resolving: request)
      })
  }

  package func list(_ request: FetchRequest, decoding decoder: ModelDecoder?) -> SharedList {
    let shared = decoder == nil ? published : nil
    return register { state in SharedList(state, sharing: shared, request: request, decoding: decoder) }
  }

  /// Makes a list of the store as it is, and registers it once it has the steps made in the meantime.
  func register<Failure: Error>(_ make: (StoreState) throws(Failure) -> SharedList)
    throws(Failure) -> SharedList
  {
    var known = published.state
    let list = try make(known)
    while let newer = published.register(list, madeOf: known) {
      list.update(with: StoreStep(from: known, to: newer))
      known = newer
    }
    list.state.withLock { $0.owner = self }
    return list
  }
}

extension LiveList {
  /// The store of the list; nil for a list that was made without one.
  package var store: ItemStore? { shared.owner as? ItemStore }
}

extension FetchRequest {
  package init(
    in folder: String?, where predicate: ItemPredicate?, sort: [ItemSortDescriptor] = [],
    section: SectionDescriptor? = nil,
    search: String = "", searchFields: [FieldPath] = [], limit: Int? = nil, offset: Int = 0
  ) throws {
    self.init(
      sort: sort, section: section, folder: try folder.map(RelativePath.init(below:)),
      predicate: try predicate?.checked(), search: search,
      searchFields: searchFields, limit: limit, offset: offset)
  }
}

extension RelativePath {
  /// Makes the path that is exactly this string. A folder may end with a slash.
  ///
  /// - Throws: `StoreError` if there is no such path below the root.
  package init(below text: String) throws(StoreError) {
    let isFolder = text.utf8.count > 1 && text.utf8.last == UInt8(ascii: "/")
    let path = RelativePath(bytes: isFolder ? text.utf8.dropLast() : text.utf8[...])
    // An empty text is probably one that nobody filled in, and would mean all items.
    guard path != .root, RelativePath(printed: path.description) == path else {
      throw StoreError(
        .malformed, "`\(text)` is not a path below the folder of the store.",
        advice: "Write a path such as `friends/ada.yaml`.")
    }
    self = path
  }
}

extension ItemStore {
  /// Returns the list of the items that a predicate matches now. Costs O(n log n).
  ///
  /// ```swift
  /// let hours = try store.fetch(in: "todos/", where: "done = \(false)").sum("hours")
  /// ```
  ///
  /// The parameters and errors are those of `list`.
  public func fetch(
    in folder: String? = nil, where predicate: ItemPredicate? = nil, sort: ItemSortDescriptor...,
    limit: Int? = nil, offset: Int = 0
  ) throws -> ListSnapshot<Item> {
    fetch(try FetchRequest(in: folder, where: predicate, sort: sort, limit: limit, offset: offset))
  }

  /// Returns the list that a request shows now. Costs O(n log n).
  package func fetch(_ request: FetchRequest) -> ListSnapshot<Item> {
    ListSnapshot(of: currentState, request: request)
  }

  /// Returns the number of items that a predicate matches now. Costs O(n).
  ///
  /// ```swift
  /// print(try store.count(in: "todos/", where: "done = \(false)"))
  /// ```
  ///
  /// The parameters and errors are those of `list`.
  public func count(in folder: String? = nil, where predicate: ItemPredicate? = nil) throws -> Int {
    try fetch(in: folder, where: predicate).count
  }
}
