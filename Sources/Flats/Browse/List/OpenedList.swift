import Printing
package import Store
import Streams

/// An open store, its list, and the position of the screen in the list's life.
struct OpenedList {
  let store: ItemStore
  let results: LiveList<Item>
  let subscription: ListSubscription
  let perform: @Sendable (ItemAction) async -> ActionOutcome
  var view: String?
  private let source: ListSource
  private let onSettings: @Sendable () -> Void

  /// Blocks while the store is read. `onSettings` is called on any thread when the settings may have changed.
  ///
  /// - Throws: `StoreError`, `SettingsError`, or the `Problem` of the settings that prevents it from opening.
  init(_ source: ListSource, options: StoreOptions, onSettings: @escaping @Sendable () -> Void) throws {
    self.source = source
    self.onSettings = onSettings
    view = source.view
    store = try ItemStore(at: source.folder, watching: true, options: options)
    do throws(SettingsError) {
      results = try store.list(OpenedList.resolver(source, source.view, onSettings))
    } catch {
      // The problem of the file has the line.
      throw store.problem(of: error) ?? error
    }
    subscription = results.subscribe()
    perform = source.actions(store)
  }

  private static func resolver(
    _ source: ListSource, _ view: String?, _ onSettings: @escaping @Sendable () -> Void
  ) -> RequestResolver {
    { settings throws(SettingsError) in
      // A list is asked again exactly when the settings change.
      onSettings()
      var request = try source.request(settings, view)
      request.sortsByRelevance = request.searches
      return request
    }
  }

  /// Returns reports of what the screen does not know. A view that cannot be shown is an error beside them.
  mutating func change(_ pending: PendingRequest) -> (reports: [ListReport], error: SettingsError?) {
    var reports: [ListReport] = []
    var failure: SettingsError?
    var newest: ListSnapshot<Item>?
    func add(_ step: (earlier: ListEvent?, snapshot: ListSnapshot<Item>)) {
      if let earlier = step.earlier { reports.append(report(earlier)) }
      newest = step.snapshot
    }
    if case .some(let new) = pending.view {
      do throws(SettingsError) {
        add(try results.follow(OpenedList.resolver(source, new, onSettings), for: subscription))
        view = new
      } catch {
        failure = error
      }
    }
    if pending.changesParts || results.request.showsSimilarNames {
      let base = (try? source.request(store.settings, view)) ?? results.request
      add(results.change(for: subscription) { pending.apply(to: &$0, base: base) })
    }
    if let snapshot = newest, let fuzzy = similarNames(to: snapshot) {
      add(results.change(for: subscription) { $0.query = fuzzy })
      if newest?.totalCount == 0 {
        add(results.change(for: subscription) { $0.query = snapshot.request.query })
      }
    }
    return (reports + (newest.map { [report(ofChange: $0)] } ?? []), failure)
  }

  /// Returns the query for similar names, if no item and no problem matches a search of words.
  private func similarNames(to snapshot: ListSnapshot<Item>) -> SearchQuery? {
    guard source.showsSimilarNames, snapshot.totalCount == 0, snapshot.warnings.isEmpty,
      snapshot.problemRows.isEmpty,
      let query = snapshot.request.query, query.fuzzy != query
    else { return nil }
    return query.fuzzy
  }

  /// Returns reports of the list without similar names, if something matches the search now; otherwise none.
  func reportsOfNewMatches() -> [ListReport] {
    let exact = results.request.exact
    if exact == results.request || store.fetch(exact).totalCount == 0 { return [] }
    let step = results.change(for: subscription) { $0 = $0.exact }
    return (step.earlier.map { [report($0)] } ?? []) + [report(ofChange: step.snapshot)]
  }

  func report(_ event: ListEvent) -> ListReport {
    switch event {
    case .snapshot(let snapshot): report(ofChange: snapshot, snapshot.problems.map(ProblemChange.raised))
    case .step(let update, let problems): report(update?.new ?? results.snapshot, update, problems)
    }
  }

  private func report(ofChange snapshot: ListSnapshot<Item>, _ problems: [ProblemChange] = []) -> ListReport {
    var report = report(snapshot, nil, problems)
    let hasCause = snapshot.count == 0 && snapshot.request.predicate != nil
    report.hints = hasCause ? snapshot.otherHints.map(\.description) : []
    return report
  }

  func report(_ snapshot: ListSnapshot<Item>, _ update: ListUpdate<Item>?, _ problems: [ProblemChange] = [])
    -> ListReport
  {
    var report = ListReport(
      snapshot, update, settings: store.settings, isPolled: store.counters.watch?.isPolling ?? false)
    report.storeCount = store.count
    report.problems = problems
    if update != nil || !problems.isEmpty { report.time = WallClock.timeOfDay() }
    return report
  }
}

extension ListSnapshot<Item> {
  var otherHints: [Hint] {
    let warnings = warnings
    return hints.filter { !warnings.contains($0) }
  }
}

/// The folder that a list shows, and how its request is made.
package struct ListSource: Sendable {
  var folder: String
  /// The options of the store. The follower adds its own handlers of progress and notices.
  var options: StoreOptions
  var view: String?
  /// Returns the request of a view, nil for all items. It is called again when the settings change.
  package var request: @Sendable (_ settings: Settings, _ view: String?) throws(SettingsError) -> FetchRequest
  /// Returns what performs an action on the items of the store, conditional on the state of the items
  /// that was painted, and says what became of it.
  var actions: @Sendable (ItemStore) -> @Sendable (ItemAction) async -> ActionOutcome

  /// True to show similar names if nothing matches a search. What a pipe gets must never be guessed.
  package var showsSimilarNames = true

  /// Returns sentences for the person about the items of the store. Called once, after the first list.
  package var notices: @Sendable (ItemStore) -> [String] = { _ in [] }

  package init(
    _ folder: String, options: StoreOptions = StoreOptions(), view: String? = nil,
    request:
      @escaping @Sendable (_ settings: Settings, _ view: String?) throws(SettingsError) -> FetchRequest =
      ListSource.request,
    actions: @escaping @Sendable (ItemStore) -> @Sendable (ItemAction) async -> ActionOutcome
  ) {
    self.folder = folder
    self.options = options
    self.view = view
    self.request = request
    self.actions = actions
  }

  package static func request(_ settings: Settings, _ view: String?) throws(SettingsError) -> FetchRequest {
    guard let view else { return FetchRequest() }
    return try settings.view(named: view).request
  }
}
