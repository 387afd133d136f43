public import DiffableSnapshot
import Synchronization

/// A live, ordered, sectioned, searchable list of a store's items that says exactly what changed.
///
/// What it promises:
/// - **The list first.** Every sequence begins with the list as it is then; all that follows are steps from what its reader has to the newest.
/// - **Order.** Steps come in the order in which they happened. Every step is consistent, and none is empty: applying its diff to the old snapshot gives the new one.
/// - **Coalescing.** A reader that is slow is handed fewer and larger steps. Nothing is queued and nothing is lost, and what came and went in between is never seen.
/// - **Isolation.** Any number of readers, from any task or actor; none waits for another. Setting a part of the request takes effect before the setter returns.
/// - **Life.** A sequence ends with its task, and when nobody holds the results any more; a loop over one holds them.
/// - **Cost.** O(k log n) for k changed items; O(n) for another search or predicate, where a longer search asks only the shown items and a shorter one only the hidden ones;
///   O(n log n) for another order.
///
/// What it is unfit for: it is no log. Whoever needs every state that a file ever had wants git, and whoever must not miss one of two quick edits must not edit twice.
///
/// ```swift
/// let results = store.results(FetchRequest(sort: ["-rating"]))
/// Task {
///   for await update in results.updates { print(update.new.count, update.diff.changes) }
/// }
/// results.search = "re"  // the next update, of origin `view`
/// ```
public final class FetchedResults: Sendable {
  let state: Mutex<State>
  /// What stands between the store and a list of the caller's own type.
  let decoded: DecodedStore?
  /// Nobody follows the folder any more once the store is gone. The store holds its lists weakly.
  private let owner = Mutex<ItemStore?>(nil)

  struct State {
    var store: StoreState
    var index: ResultsIndex
    /// Asks the settings what to show; nil where the request does not depend on them.
    var resolve: RequestResolver?
    /// What the settings said last. Parts of the request that are otherwise were set here, and stay.
    var base: FetchRequest
    var day: PredicateContext
    var subscriptions: [WeakSubscription] = []
    var midnight: Task<Void, Never>?

    var snapshot: ResultsSnapshot {
      ResultsSnapshot(request: index.request, list: index.shown, items: store.items, problems: store.problems, models: store.models)
    }
  }

  struct WeakSubscription {
    weak var subscription: ResultsSubscription?
  }

  init(_ store: StoreState, resolving resolve: @escaping RequestResolver, decoding decoder: ModelDecoder? = nil) throws(SettingsError) {
    let request = try resolve(store.settings)
    decoded = decoder.map { DecodedStore(store, $0) }
    state = Mutex(State(decoded?.state ?? store, request, resolve))
    waitForMidnight()
  }

  init(_ store: StoreState, request: FetchRequest, decoding decoder: ModelDecoder? = nil) {
    decoded = decoder.map { DecodedStore(store, $0) }
    state = Mutex(State(decoded?.state ?? store, request, nil))
    waitForMidnight()
  }

  deinit {
    state.withLock { state in
      state.midnight?.cancel()
      for subscription in state.subscriptions { subscription.subscription?.finish() }
    }
  }

  func keep(_ store: ItemStore) {
    owner.withLock { $0 = store }
  }

  /// The list as it is now. What is asked of one snapshot fits together; two questions to the results may be answered by two lists.
  public var snapshot: ResultsSnapshot { state.withLock { $0.snapshot } }

  /// All items of the list, in order. O(n).
  public var fetchedObjects: [Item] { snapshot.fetchedObjects }

  /// The sections of the list, in order.
  public var sections: [ResultsSnapshot.Section] { snapshot.sections }

  /// The item at a place; nil where there is none. O(log n).
  public func object(at place: Place<SectionID>) -> Item? { snapshot.object(at: place) }

  /// Where an item stands; nil where the list does not show it. O(log n).
  public func place(of id: Item.ID) -> Place<SectionID>? { snapshot.place(of: id) }

  /// A subscription of its own for the caller. It lives as long as it is held.
  public func subscribe() -> ResultsSubscription {
    state.withLock { state in
      let subscription = ResultsSubscription(state.snapshot)
      state.subscriptions.removeAll { $0.subscription == nil }
      state.subscriptions.append(WeakSubscription(subscription: subscription))
      return subscription
    }
  }

  /// The list as it is now, and a subscription that was given it: whatever changes from here on comes as a step, however late the first `next()` is.
  package func snapshotAndSteps() -> (snapshot: ResultsSnapshot, steps: ResultsSubscription) {
    let subscription = subscribe()
    guard case .snapshot(let snapshot)? = subscription.takeEvent() else { preconditionFailure("the first event is a snapshot") }
    return (snapshot, subscription)
  }
}

/// Answers what to show under these settings.
public typealias RequestResolver = @Sendable (Settings) throws(SettingsError) -> FetchRequest

extension FetchedResults.State {
  init(_ store: StoreState, _ request: FetchRequest, _ resolve: RequestResolver?) {
    self.store = store
    self.resolve = resolve
    base = request
    day = .now
    index = ResultsIndex(store, request: request, context: day)
  }

  mutating func show(_ request: FetchRequest) {
    if request == index.request { return }
    index.show(request, of: store, context: day)
    publish(Touched(ids: nil, origin: .view))
  }

  func publish(_ touched: Touched) {
    for subscription in subscriptions { subscription.subscription?.offer(snapshot, touched) }
  }
}
