import PlainStore

/// An open store, its list, and the position of the screen in the list's life.
struct OpenedList: Sendable {
  let store: ItemStore
  let results: FetchedResults
  let subscription: ResultsSubscription
  let actions: any ItemActions
  /// The view that is shown; nil for all items.
  var view: String?
  private let source: ListSource

  /// Opens the store of a source. Blocks while it is read.
  ///
  /// - Throws: `StoreError`, `SettingsError`, or the `Problem` of the settings because of which
  ///   there is no list.
  init(_ source: ListSource, options: StoreOptions) throws {
    self.source = source
    view = source.view
    store = try ItemStore(at: source.folder, watching: true, options: options)
    do throws(SettingsError) {
      results = try store.results(OpenedList.resolver(source, source.view))
    } catch {
      // The problem of the file has the line.
      throw store.problems.first { $0.message == error.description } ?? error
    }
    subscription = results.subscribe()
    actions = source.actions(store)
  }

  private static func resolver(_ source: ListSource, _ view: String?) -> RequestResolver {
    { settings throws(SettingsError) in try source.request(settings, view) }
  }

  /// Makes changes of the request, and returns the reports of what the screen does not know.
  ///
  /// - Throws: The error of a view that cannot be shown. Then the view stays.
  func reports(of pending: PendingRequest) throws(SettingsError) -> [ListReport] {
    var reports: [ListReport] = []
    var newest: ResultsSnapshot?
    func add(_ step: (earlier: ResultsEvent?, snapshot: ResultsSnapshot)) {
      if let earlier = step.earlier { reports.append(report(earlier)) }
      newest = step.snapshot
    }
    var view = view
    if case .some(let new) = pending.view {
      add(try results.follow(OpenedList.resolver(source, new), for: subscription))
      view = new
    }
    if pending.changesParts {
      let base = (try? source.request(store.settings, view)) ?? results.request
      add(results.change(for: subscription) { pending.apply(to: &$0, base: base) })
    }
    return reports + (newest.map { [report($0, nil)] } ?? [])
  }

  /// Returns the report of an event.
  func report(_ event: ResultsEvent) -> ListReport {
    switch event {
    case .snapshot(let snapshot): report(snapshot, nil)
    case .step(let update, _): report(update?.new ?? results.snapshot, update)
    }
  }

  func report(_ snapshot: ResultsSnapshot, _ update: ResultsUpdate?) -> ListReport {
    ListReport(snapshot, update, settings: store.settings, isPolled: store.counters.watch?.isPolling ?? false)
  }
}
