import CLinux
import Dispatch
import Observation
import Synchronization

/// The part that a live list shares with the lists that are mapped from it: the request, the rows, and
/// those who follow them.
///
/// One lock guards the state. While it is held, only the locks of subscriptions, of the store
/// (`PublishedStore`) and of the rows that lists share (`SharedRows`) are taken. User code
/// (request resolvers, the closures of `change`, the decoding of models, the functions of sort
/// and section descriptors) runs outside of it: see `transact`.
package final class SharedList: Sendable, Observable {
  /// Lock: guards the request, the index, the models and the subscriptions of the list.
  /// Subscriptions, the store, shared rows and the allowance of patterns are locked under it.
  let state: Mutex<State>
  private let observers = ObservationRegistrar()
  private let isReadOnMain = Atomic(false)
  private let isReadElsewhere = Atomic(false)
  /// True while a report waits for the main actor.
  private let isReporting = Atomic(false)

  struct State {
    var contents: ListContents
    var index: ListIndex
    /// The store whose lists share their rows; nil if the list has rows of its own.
    let published: PublishedStore?
    /// Says what to show, with the number of resolvers before it; nil if that does not depend on settings.
    var resolver: (resolve: RequestResolver, version: Int)?
    /// The request that the settings made last. Parts that differ from it were set in the list, and stay.
    var base: FetchRequest
    var day: PredicateContext
    /// The number of this state, which changes with each change of the list.
    var revision = SharedList.nextRevision()
    /// The number of what the request depends on: the request itself, the resolver, the settings, the day.
    var premise = SharedList.nextRevision()
    var receivers: [WeakReceiver] = []
    var midnight: MidnightTimer?
    /// The list keeps its store, which holds its lists weakly.
    var owner: (any AnyObject & Sendable)?

    var snapshot: ListSnapshot<Item> { ListSnapshot<Item>(contents, index, revision: revision) }
  }

  struct WeakReceiver {
    weak var receiver: (any ListReceiver)?
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

  /// The list as it is now. Reading it in `withObservationTracking` or in a view observes it.
  package var snapshot: ListSnapshot<Item> {
    if DispatchQueue.isMain {
      isReadOnMain.store(true, ordering: .releasing)
    } else {
      isReadElsewhere.store(true, ordering: .releasing)
    }
    observers.access(self, keyPath: \.snapshot)
    return state.withLock(\.snapshot)
  }

  /// Tells observers that there is another snapshot. It must be there already, because an observer may
  /// read it at once; and no lock may be held, because this runs user code.
  ///
  /// Observation forgets a change between the reading of a value and the end of the closure that read it. On
  /// the main actor, where views read, there is no such moment for a report on the main actor.
  func reportChange() {
    if isReadElsewhere.load(ordering: .acquiring) { observers.withMutation(of: self, keyPath: \.snapshot) {} }
    if isReadOnMain.load(ordering: .acquiring), !isReporting.exchange(true, ordering: .acquiringAndReleasing)
    {
      Task { @MainActor [weak self] in
        self?.isReporting.store(false, ordering: .releasing)
        self.map { list in list.observers.withMutation(of: list, keyPath: \.snapshot) {} }
      }
    }
  }

  /// Adds a receiver, made from the newest snapshot. It gets every later one until it is released.
  func follow<Receiver: ListReceiver>(_ make: (ListSnapshot<Item>) -> Receiver) -> Receiver {
    state.withLock { state in
      let receiver = make(state.snapshot)
      state.receivers.removeAll { $0.receiver == nil }
      state.receivers.append(WeakReceiver(receiver: receiver))
      return receiver
    }
  }
}

extension DispatchQueue {
  private static let mainKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    main.setSpecific(key: key, value: true)
    return key
  }()

  /// True on the queue of the main actor. Its tasks may run on any thread, and a program may begin on the main
  /// thread without a queue.
  fileprivate static var isMain: Bool { getSpecific(key: mainKey) != nil || clinux_is_main_thread() != 0 }
}

/// Returns the request to show under the given settings.
///
/// It is called when the list is made and each time the settings change, outside of all locks: it
/// may ask the store and its lists anything. It must not wait for a save of the store, nor make
/// another list that follows the settings each time it is called.
package typealias RequestResolver = @Sendable (Settings) throws(SettingsError) -> FetchRequest

extension SharedList.State {
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
    index = ListIndex(
      contents.state, request: request, filter: contents.filter(of: request, context: day),
      sharing: published,
      isPublished: contents.isPlain)
  }
}

extension SharedList {
  private static let lastRevision = Atomic(0)

  /// Returns a number for a state of a list. No two states of any lists have the same number.
  static func nextRevision() -> Int { lastRevision.wrappingAdd(1, ordering: .relaxed).newValue }
}
