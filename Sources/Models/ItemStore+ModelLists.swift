import HashTreeCollections
public import Query
public import Store
public import Values

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
  /// The other parameters are those of ``list(in:where:sort:section:search:searchFields:limit:offset:)``.
  ///
  /// - Parameters:
  ///   - type: The type to decode: a `PlainModel`, or any `Decodable` type.
  ///   - key: Returns the value to sort elements by. `sort` then breaks the ties. For a descending
  ///     order, use `ItemSortDescriptor(of:by:descending:)`.
  ///   - name: Returns the name of an element's section, and replaces `section`. For an order or
  ///     titles of sections, use `SectionDescriptor(of:by:descending:order:titles:)`.
  /// - Throws: `ItemPredicateError` if the predicate is malformed. `StoreError` if `folder` is empty or not
  ///   below the root, or if a `PlainModel` that decodes itself by its `CodingKeys` does not have a field that
  ///   the predicate, the order, the sections or `searchFields` name, or if such a type of a property does not
  ///   have the key below it; setting these later does not throw, and is a hint of the list.
  public func list<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: String? = nil, where predicate: ItemPredicate? = nil,
    sort: ItemSortDescriptor...,
    section: SectionDescriptor? = nil, search: String = "", searchFields: [FieldPath] = [], limit: Int? = nil,
    offset: Int = 0,
    sortedBy key: (@Sendable (Object) -> (any Encodable)?)? = nil,
    sectionedBy name: (@Sendable (Object) -> String?)? = nil
  ) throws -> LiveList<Object> {
    let sort = (key.map { [ItemSortDescriptor(of: type, by: $0)] } ?? []) + sort
    let section = name.map { SectionDescriptor(of: type, by: $0) } ?? section
    return list(
      of: type,
      try FetchRequest(
        of: type, in: folder, where: predicate, sort: sort, section: section, search: search,
        searchFields: searchFields, limit: limit, offset: offset))
  }

  package func list<Object: Decodable & Equatable & Sendable>(of type: Object.Type, _ request: FetchRequest)
    -> LiveList<Object>
  {
    record(type, in: request.folder)
    return LiveList(list(request, decoding: decoder(of: type)))
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
  /// - Throws: The errors of a list of the type. The `Problem` of the first matching file that does not
  ///   decode, with its line, so that no object is missing unnoticed. A list shows the others.
  public func fetch<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: String? = nil, where predicate: ItemPredicate? = nil,
    sort: ItemSortDescriptor...,
    limit: Int? = nil, offset: Int = 0
  ) throws -> ListSnapshot<Object> {
    let request = try FetchRequest(
      of: type, in: folder, where: predicate, sort: sort, limit: limit, offset: offset)
    record(type, in: request.folder)
    let snapshot = ListSnapshot<Object>(of: currentState, request: request, decoder: decoder(of: type))
    if let path = snapshot.undecodedPaths.values.min(), let problem = snapshot.problem(of: path) {
      throw problem
    }
    return snapshot
  }

  /// Returns the number of objects of your own type that a predicate matches now. Costs O(n), and
  /// the decoding of the items that match: those that do not decode do not count.
  ///
  /// - Throws: The errors of a list of the type.
  public func count<Object: Decodable & Equatable & Sendable>(
    of type: Object.Type, in folder: String? = nil, where predicate: ItemPredicate? = nil
  ) throws -> Int {
    let request = try FetchRequest(of: type, in: folder, where: predicate)
    return ListSnapshot<Object>(of: currentState, request: request, decoder: decoder(of: type)).count
  }
}

extension FetchRequest {
  /// Makes a request for a type. If it is a model, the request may only name its fields.
  init<Object>(
    of type: Object.Type, in folder: String?, where predicate: ItemPredicate?,
    sort: [ItemSortDescriptor] = [],
    section: SectionDescriptor? = nil, search: String = "", searchFields: [FieldPath] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws {
    try self.init(
      in: folder, where: predicate, sort: sort, section: section, search: search, searchFields: searchFields,
      limit: limit, offset: offset)
    guard let model = type as? any PlainModel.Type, !orderingPaths.isEmpty || !model.changes.isEmpty else {
      return
    }
    try ModelKeys(of: model).check(self)
  }
}

extension ItemStore {
  /// Names types of the items in the folder, so that the store finds their links (``items(linkingTo:)``) and
  /// validates edits that name no type. The types of its lists, objects and saves are known without it.
  ///
  /// ```swift
  /// store.register(Author.self, Book.self)
  /// ```
  public func register(_ types: any PlainModel.Type...) {
    for type in types { models.record(type, in: .root, isDeep: true) }
  }

  func record<Object>(_ type: Object.Type, in folder: RelativePath?) {
    if let model = type as? any PlainModel.Type { models.record(model, in: folder ?? .root, isDeep: true) }
  }

  func decoder<Object: Decodable & Equatable & Sendable>(of type: Object.Type) -> ModelDecoder {
    ModelDecoder(type) { [weak self] item in try? self?.fileBytes(at: item.path) }
  }

  /// - Throws: A `Problem` at the line of the value that does not decode.
  func decode<Object: Decodable>(_ item: Item, as type: Object.Type) throws(Problem) -> Object {
    do {
      return try item.decode(type)
    } catch {
      throw Problem(decoding: item, as: type, error) { [weak self] item in try? self?.fileBytes(at: item.path)
      }
    }
  }
}
