import DiffableSnapshot
import DirectoryWatch
import HashTreeCollections
import Synchronization

/// A live, ordered, sectioned, searchable list of a store's items that says exactly what changed.
///
/// What it promises:
/// - The first event of every subscriber is the snapshot as it is then; each later one is a step from the snapshot that the subscriber has to the newest.
/// - Every step is consistent and none is empty. Applying its diff to the old snapshot gives the new one.
/// - A subscriber that is slow is handed fewer and larger steps; nothing is queued and nothing is lost, and what came and went in between is never seen.
/// - Subscribers do not wait for each other, and a subscription ends with its task.
/// - Cost: O(k log n) for k changed items; O(n) for another search or predicate, O(n log n) for another order.
///
/// It is no log: whoever needs every state that a file ever had wants git.
///
/// ```swift
/// let results = store.results(FetchRequest(sort: [SortDescriptor("-rating")!]))
/// for await event in results.events {
///   if case .step(let update?, _) = event { print(update.diff.changes) }
/// }
/// ```
public final class FetchedResults: Sendable {
  fileprivate let state: Mutex<State>
  /// Asks the settings what to show; nil where the request does not depend on them.
  private let resolve: (@Sendable (Settings) throws(SettingsError) -> FetchRequest)?

  fileprivate struct State {
    var store: StoreState
    var index: ResultsIndex
    /// What the settings asked for last, if they are asked.
    var resolved: FetchRequest?
    var day: PredicateContext
    var subscriptions: [WeakSubscription] = []
    var midnight: Task<Void, Never>?

    var snapshot: ResultsSnapshot {
      ResultsSnapshot(request: index.request, list: index.shown, items: store.items, problems: store.problems)
    }
  }

  fileprivate struct WeakSubscription {
    weak var subscription: ResultsSubscription?
  }

  init(_ store: StoreState, resolving resolve: @escaping @Sendable (Settings) throws(SettingsError) -> FetchRequest) throws(SettingsError) {
    self.resolve = resolve
    let request = try resolve(store.settings)
    state = Mutex(State(store, request, resolved: request))
    waitForMidnight()
  }

  init(_ store: StoreState, request: FetchRequest) {
    resolve = nil
    state = Mutex(State(store, request))
    waitForMidnight()
  }

  deinit {
    state.withLock { state in
      state.midnight?.cancel()
      for subscription in state.subscriptions { subscription.subscription?.finish() }
    }
  }

  /// The list as it is now.
  public var snapshot: ResultsSnapshot { state.withLock { $0.snapshot } }

  /// What is shown. Setting it is one step of origin `view`. It holds until the settings ask for something else, a search text beyond that.
  public var request: FetchRequest {
    get { state.withLock { $0.index.request } }
    set {
      state.withLock { $0.show(newValue) }
      waitForMidnight()
    }
  }

  /// The search text of the request. Setting it, as a search field does at every key, sorts nothing.
  public var search: String {
    get { request.search }
    set { state.withLock { state in state.show { $0.search = newValue } } }
  }

  /// A subscription of its own for the caller. It lives as long as it is held.
  public func subscribe() -> ResultsSubscription {
    state.withLock { state in
      let subscription = ResultsSubscription(state.snapshot)
      state.subscriptions.removeAll { $0.subscription == nil }
      state.subscriptions.append(WeakSubscription(subscription: subscription))
      return subscription
    }
  }

  /// The snapshot and then every step, for one loop.
  public var events: ResultsEvents { ResultsEvents(results: self) }
}

/// The events of a `FetchedResults`. Each iterator has a subscription of its own and keeps the results alive.
public struct ResultsEvents: AsyncSequence, Sendable {
  fileprivate let results: FetchedResults

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let results: FetchedResults
    fileprivate let subscription: ResultsSubscription

    public func next() async -> ResultsEvent? { await subscription.next() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(results: results, subscription: results.subscribe()) }
}

extension FetchedResults {
  /// A step of the store. Called in their order.
  func take(_ step: StoreStep) {
    state.withLock { state in
      let settingsChanged = state.store.settings != step.state.settings
      state.store = step.state
      // Whether the settings can be shown was asked before they were taken on.
      if settingsChanged, let request = try? resolve?(step.state.settings), request != state.resolved {
        state.index.show(state.keepingSearch(in: request), of: state.store, context: state.day)
        state.resolved = request
        // The items that changed in the same step may need another place.
        _ = state.index.take(step.changes.ids, of: state.store)
        state.publish(Touched(ids: nil, paths: step.changes.paths, origin: step.origin))
      } else if !step.changes.isEmpty {
        let ids = state.index.take(step.changes.ids, of: state.store)
        state.publish(Touched(ids: ids, paths: step.changes.paths, origin: step.origin))
      }
    }
    waitForMidnight()
  }

  /// Whether these settings would do.
  func check(_ file: SettingsFile) throws(Problem) {
    do throws(SettingsError) {
      _ = try resolve?(file.settings)
    } catch {
      throw file.problem(error)
    }
  }

  /// Sets one timer where the request asks for `@today`, and none where it does not.
  private func waitForMidnight() {
    state.withLock { state in
      let needsTimer = state.index.request.predicate?.usesToday ?? false
      if needsTimer == (state.midnight != nil) { return }
      state.midnight?.cancel()
      state.midnight =
        needsTimer ? Task { [weak self] in await FetchedResults.followDays { [weak self] in self?.lookAtDay() ?? false } } : nil
    }
  }

  /// Calls `body` after each midnight until it answers false.
  private static func followDays(_ body: @Sendable () -> Bool) async {
    while !Task.isCancelled {
      let wait = PredicateContext.timeToMidnight
      guard (try? await Task.sleep(for: wait, clock: .continuous)) != nil, body() else { return }
    }
  }

  /// False when nobody is there any more.
  private func lookAtDay() -> Bool {
    state.withLock { state in
      let today = PredicateContext.now
      if today != state.day {
        state.day = today
        state.index.show(state.index.request, of: state.store, context: today)
        state.publish(Touched(ids: nil, paths: [], origin: .clock))
      }
    }
    return true
  }
}

extension FetchedResults.State {
  fileprivate init(_ store: StoreState, _ request: FetchRequest, resolved: FetchRequest? = nil) {
    self.store = store
    self.resolved = resolved
    day = .now
    index = ResultsIndex(store, request: request, context: day)
  }

  /// A request of other settings, with the search text that was typed since the last.
  fileprivate func keepingSearch(in request: FetchRequest) -> FetchRequest {
    var request = request
    if index.request.search != resolved?.search { request.search = index.request.search }
    return request
  }

  fileprivate mutating func show(_ change: (inout FetchRequest) -> Void) {
    var request = index.request
    change(&request)
    show(request)
  }

  fileprivate mutating func show(_ request: FetchRequest) {
    if request == index.request { return }
    index.show(request, of: store, context: day)
    publish(Touched(ids: nil, paths: [], origin: .view))
  }

  fileprivate func publish(_ touched: Touched) {
    for subscription in subscriptions { subscription.subscription?.offer(snapshot, touched) }
  }
}
