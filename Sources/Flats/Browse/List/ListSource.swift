public import Store

/// The folder that a list shows, and how its request is made.
public struct ListSource: Sendable {
  public var folder: String
  /// The options of the store. The follower adds its own handlers of progress and notices.
  public var options: StoreOptions
  public var view: String?
  /// Returns the request of a view, nil for all items. It is called again when the settings change.
  public var request: @Sendable (_ settings: Settings, _ view: String?) throws(SettingsError) -> FetchRequest
  /// Returns what performs an action on the items of the store, conditional on the state of the items
  /// that was painted, and says what became of it.
  public var actions: @Sendable (ItemStore) -> @Sendable (ItemAction) async -> ActionOutcome

  /// Returns sentences for the person about the items of the store. It is called once, after the
  /// first list.
  public var notices: @Sendable (ItemStore) -> [String] = { _ in [] }

  public init(
    _ folder: String, options: StoreOptions = StoreOptions(), view: String? = nil,
    request:
      @escaping @Sendable (_ settings: Settings, _ view: String?) throws(SettingsError) -> FetchRequest =
      ListSource.request,
    actions: @escaping @Sendable (ItemStore) -> @Sendable (ItemAction) async -> ActionOutcome
  ) {
    (self.folder, self.options, self.view, self.request, self.actions) = (
      folder, options, view, request, actions
    )
  }

  public static func request(_ settings: Settings, _ view: String?) throws(SettingsError) -> FetchRequest {
    guard let view else { return FetchRequest() }
    return try settings.view(named: view).request
  }
}
