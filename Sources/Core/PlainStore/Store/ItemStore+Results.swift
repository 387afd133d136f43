import Files
public import Query

/// The lists of a store. A list follows its store for as long as you hold the list, and keeps the
/// store alive. Making one does not block the store.
extension ItemStore {
  /// Makes a live list of the store's items that follows the settings.
  ///
  /// Costs O(n log n).
  ///
  /// - Parameter request: Returns the request to show. It is called now and each time the settings
  ///   change, and may ask the store and its lists anything. It must not wait for a save.
  /// - Throws: The errors of `request` now. If it throws later, the new settings are a problem and
  ///   the old ones stay.
  public func results(_ request: @escaping RequestResolver) throws(SettingsError) -> FetchedResults {
    try register { state throws(SettingsError) in
      try FetchedResults(state, sharing: published.rows, resolving: request)
    }
  }

  /// Makes a live list of a request that does not depend on the settings. Costs O(n log n).
  ///
  /// - Parameter request: The request to show; by default all items, in the order of their ids.
  public func results(_ request: FetchRequest = FetchRequest()) -> FetchedResults {
    register { state in FetchedResults(state, sharing: published.rows, request: request) }
  }

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
  /// - Parameters:
  ///   - type: The type to decode items as.
  ///   - request: The request to show; by default all items, in the order of their ids.
  public func results<Object: Decodable>(
    of type: Object.Type, _ request: FetchRequest = FetchRequest()
  ) -> TypedResults<Object> {
    record(type, in: request.folder)
    let decoder = decoder(of: type)
    return TypedResults(register { state in FetchedResults(state, request: request, decoding: decoder) })
  }

  /// Makes a live list of your own type that follows the settings.
  ///
  /// - Parameters:
  ///   - type: The type to decode items as.
  ///   - request: Returns the request to show. It is called now and each time the settings change.
  /// - Throws: The errors of `request` now. If it throws later, the new settings are a problem and
  ///   the old ones stay.
  public func results<Object: Decodable>(
    of type: Object.Type, _ request: @escaping RequestResolver
  ) throws(SettingsError) -> TypedResults<Object> {
    let decoder = decoder(of: type)
    let results = try register { state throws(SettingsError) in
      try FetchedResults(state, resolving: request, decoding: decoder)
    }
    record(type, in: results.request.folder)
    return TypedResults(results)
  }

  /// Records that the items of a folder are used as a type.
  func record<Object>(_ type: Object.Type, in folder: RelativePath?) {
    if let model = type as? any PlainModel.Type { models.record(model, in: folder ?? .root, isDeep: true) }
  }

  /// Returns a decoder of items that finds the lines of mistakes in their files.
  func decoder<Object: Decodable & Equatable & Sendable>(of type: Object.Type) -> ModelDecoder {
    ModelDecoder(type) { [weak self] item in try? self?.fileBytes(of: item) }
  }

  /// Decodes an item.
  ///
  /// - Throws: A `Problem` at the line of the value that does not decode.
  func decode<Object: Decodable>(_ item: Item, as type: Object.Type) throws(Problem) -> Object {
    do {
      return try item.decode(type)
    } catch {
      throw Problem(decoding: item, error) { [weak self] item in try? self?.fileBytes(of: item) }
    }
  }

  /// Makes a list of the store as it is, and registers it once it has every step that was made in
  /// the meantime.
  private func register<Failure: Error>(_ make: (StoreState) throws(Failure) -> FetchedResults)
    throws(Failure) -> FetchedResults
  {
    var known = published.state
    let results = try make(known)
    while let newer = published.register(results, madeOf: known) {
      results.update(
        with: StoreStep(state: newer, changes: StoreChanges(from: known, to: newer), origin: .files))
      known = newer
    }
    results.keep(self)
    return results
  }
}
