public import Files
import HashTreeCollections
public import Query
public import Store
import Values

extension ItemStore {
  /// Makes a live list of your own type.
  ///
  /// An item that does not decode is a problem at its line and keeps its last good value. An edit
  /// that leaves the value equal is not an update.
  ///
  /// ```swift
  /// struct Color: Decodable, Identifiable, Equatable {
  ///   var id: String { name }
  ///   var name: String
  ///   var hex: String
  /// }
  /// let colors = store.results(of: Color.self, FetchRequest(sort: ["name"]))
  /// for await update in colors.updates { print(update.new.fetchedObjects.map(\.hex)) }
  /// ```
  ///
  /// - Parameter request: The request to show; by default all items, in the order of their ids.
  public func results<Object: Decodable>(
    of type: Object.Type, _ request: FetchRequest = FetchRequest()
  ) -> TypedResults<Object> {
    record(type, in: request.folder)
    return TypedResults(results(request, decoding: decoder(of: type)))
  }

  /// Makes a live list of your own type that follows the settings.
  ///
  /// - Parameter request: Returns the request to show. It is called now and each time the settings
  ///   change.
  /// - Throws: The errors of `request` now. If it throws later, the new settings are a problem and
  ///   the old ones stay.
  public func results<Object: Decodable>(
    of type: Object.Type, _ request: @escaping RequestResolver
  ) throws(SettingsError) -> TypedResults<Object> {
    let results = try results(request, decoding: decoder(of: type))
    record(type, in: results.request.folder)
    return TypedResults(results)
  }

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
  /// Arguments that are not listed here are the parts of `FetchRequest`.
  ///
  /// - Parameters:
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

  /// Returns the objects of your own type that a predicate matches now, in order.
  ///
  /// ```swift
  /// let friends = try store.fetch(of: Contact.self, where: "group = \("friends")", sort: "name")
  /// print(friends.map(\.name))
  /// ```
  ///
  /// Costs O(n log n), and the decoding of the objects that it returns.
  ///
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

  /// Returns the number of objects of your own type that a predicate matches now. Costs O(n), and
  /// the decoding of the items that match: those that do not decode do not count.
  ///
  /// - Throws: `ItemPredicateError` if the predicate is malformed.
  public func count<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: RelativePath? = nil, where predicate: PredicateFormat? = nil
  ) throws(ItemPredicateError) -> Int {
    let request = try FetchRequest(in: folder, where: predicate)
    return ResultsSnapshot(of: currentState, request: request, decoder: decoder(of: type)).count
  }
}

extension ItemStore {
  func record<Object>(_ type: Object.Type, in folder: RelativePath?) {
    if let model = type as? any PlainModel.Type { models.record(model, in: folder ?? .root, isDeep: true) }
  }

  func decoder<Object: Decodable & Equatable & Sendable>(of type: Object.Type) -> ModelDecoder {
    ModelDecoder(type) { [weak self] item in try? self?.fileBytes(of: item) }
  }

  /// - Throws: A `Problem` at the line of the value that does not decode.
  func decode<Object: Decodable>(_ item: Item, as type: Object.Type) throws(Problem) -> Object {
    do {
      return try item.decode(type)
    } catch {
      throw Problem(decoding: item, error) { [weak self] item in try? self?.fileBytes(of: item) }
    }
  }
}
