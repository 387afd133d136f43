import Synchronization

/// A live, ordered, sectioned, searchable list of a store's items that reports exactly what changed.
///
/// Promises:
/// - **The list first.** Each sequence begins with the list as it is then. Everything that follows
///   is a step from the reader's snapshot to the newest one.
/// - **Order.** Steps come in the order in which they happened. Each step is consistent and not
///   empty: applying its diff to the old snapshot gives the new one.
/// - **Coalescing.** A slow reader gets fewer and larger steps. Nothing is queued and nothing is
///   lost. Changes that cancel out in between are never seen.
/// - **Isolation.** There may be any number of readers, on any task or actor. None waits for
///   another. Setting a part of the request takes effect before the setter returns.
/// - **Lifetime.** A sequence ends with its task, and when nobody holds the results any more. A
///   loop over a sequence holds them, and the results hold their store.
/// - **Cost.** O(k log n) for k changed items. O(n) for another search or predicate; a longer search tests
///   only the shown items, a shorter one only the hidden ones. O(n log n) for another order.
///
/// Limits: this is not a log. If you need every state that a file ever had, use git. Two quick
/// edits of one file may be one step.
///
/// ```swift
/// let results = store.results(FetchRequest(sort: ["-rating"]))
/// Task {
///   for await update in results.updates { print(update.new.count, update.diff.changes) }
/// }
/// results.search = "re"  // the next update, of origin `view`
/// ```
///
/// One lock guards the state. While it is held, only the locks of subscriptions, of the store
/// (`PublishedStore`) and of the rows that lists share (`SharedRows`) are taken. User code
/// (request resolvers, the closures of `change`, the decoding of models, the functions of sort
/// and section descriptors) runs outside of it: see `transact`.
public final class FetchedResults: Sendable {
  /// Lock: guards the request, the index, the models and the subscriptions of the list.
  /// Subscriptions, the store, shared rows and the allowance of patterns are locked under it.
  let state: Mutex<State>

  struct State {
    var contents: ListContents
    var index: ResultsIndex
    /// The store whose lists share their rows; nil if the list has rows of its own.
    let published: PublishedStore?
    /// Says what to show, with the number of resolvers before it; nil if that does not depend on settings.
    var resolver: (resolve: RequestResolver, version: Int)?
    /// The request that the settings made last. Parts that differ from it were set in the list, and stay.
    var base: FetchRequest
    var day: PredicateContext
    /// The number of this state, which changes with each change of the list.
    var revision = FetchedResults.nextRevision()
    /// The number of what the request depends on: the request itself, the resolver, the settings, the day.
    var premise = FetchedResults.nextRevision()
    var receivers: [WeakReceiver] = []
    var midnight: MidnightTimer?
    /// The list keeps its store, which holds its lists weakly.
    var owner: (any AnyObject & Sendable)?

    var snapshot: ResultsSnapshot { ResultsSnapshot(contents, index, revision: revision) }
  }

  struct WeakReceiver {
    weak var receiver: (any ResultsReceiver)?
  }

  /// `resolve`, if the request depends on the settings, is asked again when they change.
  init(
    _ store: StoreState, sharing published: PublishedStore? = nil, request: FetchRequest,
    resolving resolve: RequestResolver? = nil, decoding decoder: ModelDecoder? = nil
  ) {
    state = Mutex(State(store, published, request, resolve, decoder))
    scheduleMidnight()
  }

  deinit {
    state.withLock { state in
      state.midnight = nil
      for receiver in state.receivers { receiver.receiver?.finish() }
    }
  }

  var owner: (any AnyObject & Sendable)? { state.withLock(\.owner) }

  /// The list as it is now. All values of one snapshot are consistent; two calls may see two lists.
  public var snapshot: ResultsSnapshot { state.withLock { $0.snapshot } }

  /// All items of the list, in order. O(n).
  public var fetchedObjects: [Item] { snapshot.fetchedObjects }

  /// The number of items that the list shows now.
  public var count: Int { snapshot.count }

  /// True if the list shows nothing now.
  public var isEmpty: Bool { snapshot.isEmpty }

  /// The sections of the list as it is now, in order. O(s log s) for s sections.
  public var sections: [ResultsSnapshot.Section] { snapshot.sections }

  /// Returns a new subscription. It gets events for as long as you hold it.
  public func subscribe() -> ResultsSubscription { follow { ResultsSubscription(newest: $0) } }

  /// Returns a subscription that begins after a snapshot of this list: its first step has every
  /// change since then. Without a snapshot it begins after the list as it is now.
  package func subscribe(after snapshot: ResultsSnapshot?) -> ResultsSubscription {
    follow { newest in
      guard let snapshot, snapshot.revision != newest.revision || snapshot.revision == 0 else {
        return ResultsSubscription(after: newest, newest: newest)
      }
      return ResultsSubscription(after: snapshot.mapped(by: nil), newest: newest, .unknown)
    }
  }

  /// Adds a receiver, made from the newest snapshot. It gets every later one until it is released.
  func follow<Receiver: ResultsReceiver>(_ make: (ResultsSnapshot) -> Receiver) -> Receiver {
    state.withLock { state in
      let receiver = make(state.snapshot)
      state.receivers.removeAll { $0.receiver == nil }
      state.receivers.append(WeakReceiver(receiver: receiver))
      return receiver
    }
  }

  /// Returns the list as it is now, and each later change as a step, even if the first `next()` is late.
  package func snapshotAndSteps() -> (snapshot: ResultsSnapshot, steps: ResultsSubscription) {
    let subscription = subscribe()
    guard case .snapshot(let snapshot)? = subscription.consumeEvent() else {
      preconditionFailure("the first event is a snapshot")
    }
    return (snapshot, subscription)
  }
}

/// Returns the request to show under the given settings.
///
/// It is called when the list is made and each time the settings change, outside of all locks: it
/// may ask the store and its lists anything. It must not wait for a save of the store, nor make
/// another list that follows the settings each time it is called.
public typealias RequestResolver = @Sendable (Settings) throws(SettingsError) -> FetchRequest

extension FetchedResults.State {
  fileprivate init(
    _ store: StoreState, _ published: PublishedStore?, _ request: FetchRequest, _ resolve: RequestResolver?,
    _ decoder: ModelDecoder?
  ) {
    resolver = resolve.map { ($0, 0) }
    base = request
    day = .now
    var memo = UserCodeMemo()
    contents = ListContents(store, request: request, context: day, decoder: decoder, &memo)
    self.published = published
    index = ResultsIndex(
      contents.state, request: request, filter: contents.filter(of: request, context: day),
      sharing: published,
      isPublished: contents.isPlain)
  }
}

extension FetchedResults {
  private static let lastRevision = Atomic(0)

  /// Returns a number for a state of a list. No two states of any lists have the same number.
  static func nextRevision() -> Int { lastRevision.wrappingAdd(1, ordering: .relaxed).newValue }
}
