/// The lists of a store. Each is made without holding the store up, follows it for as long as somebody holds it, and keeps the store for so long.
extension ItemStore {
  /// A live list. `request` is asked what to show now, and again whenever the settings change; it may not ask the store or a list, which wait for its answer.
  ///
  /// - Throws: what `request` throws now. When it throws later, the settings that it does not like are a problem, and the old ones stay.
  public func results(_ request: @escaping RequestResolver) throws(SettingsError) -> FetchedResults {
    try register { state throws(SettingsError) in try FetchedResults(state, resolving: request) }
  }

  /// A live list of a request that no settings change.
  public func results(_ request: FetchRequest = FetchRequest()) -> FetchedResults {
    register { state in FetchedResults(state, request: request) }
  }

  /// A live list of the caller's own type. An item that does not decode is a problem at its line, and keeps its last good value; an edit that leaves the value equal is no update.
  ///
  /// ```swift
  /// struct Color: Decodable, Identifiable, Equatable { var id: String { name }; var name: String; var hex: String }
  /// let colors = store.results(of: Color.self, FetchRequest(sort: ["name"]))
  /// for await update in colors.updates { print(update.new.fetchedObjects.map(\.hex)) }
  /// ```
  public func results<Object>(of type: Object.Type, _ request: FetchRequest = FetchRequest()) -> TypedResults<Object> {
    let decoder = decoder(of: type)
    return TypedResults(register { state in FetchedResults(state, request: request, decoding: decoder) })
  }

  /// A live list of the caller's own type that follows the settings.
  ///
  /// - Throws: as `results(_:)` does.
  public func results<Object>(of type: Object.Type, _ request: @escaping RequestResolver) throws(SettingsError) -> TypedResults<Object> {
    let decoder = decoder(of: type)
    return TypedResults(
      try register { state throws(SettingsError) in try FetchedResults(state, resolving: request, decoding: decoder) })
  }

  private func decoder<Object: Decodable & Equatable & Sendable>(of type: Object.Type) -> ModelDecoder {
    ModelDecoder(type) { [weak self] item in try? self?.fileBytes(of: item) }
  }

  /// Makes a list of the store as it is, and lets it follow once it has what happened while it was made.
  private func register<Failure: Error>(_ make: (StoreState) throws(Failure) -> FetchedResults) throws(Failure) -> FetchedResults {
    var known = published.state
    let results = try make(known)
    while let newer = published.register(results, madeOf: known) {
      results.update(with: StoreStep(state: newer, changes: StoreChanges(from: known, to: newer), origin: .files))
      known = newer
    }
    results.keep(self)
    return results
  }
}
