/// A subscription to several lists at once. Each of its steps leads to one version of the store.
///
/// The store gives a step to its lists one after the other. So the changes of one list wait until
/// every list has that version of the store; then all of them are ready together. A change of the
/// request does not change the version of a list.
///
/// Nothing is queued: while the reader is busy, only the newest snapshots and the touched ids are
/// kept. One lock guards the state (`AwaitableState`). It is acquired under the lock of a list, and
/// never the other way round.
package final class JointSubscription: Sendable {
  private let state: AwaitableState<State>

  private struct State {
    var members: [Member] = []
    var isComplete = false
    var isOver = false

    var isReady: Bool {
      isComplete && members.contains(where: \.isNew) && members.allSatisfy { $0.ready != nil }
    }

    /// Makes the newest changes ready if all lists of each store have one version. Returns what they replace.
    mutating func align() -> [ListSnapshot<Item>] {
      guard isComplete, members.allSatisfy({ member in members.allSatisfy { $0.isAligned(with: member) } })
      else { return [] }
      let replaced = members.compactMap(\.ready)
      for index in members.indices { members[index].adopt() }
      return replaced
    }
  }

  private struct Member {
    /// The store of the list; lists of other stores have versions of their own.
    let store: ObjectIdentifier?
    var given: ListSnapshot<Item>?
    /// The newest snapshot that is ready, and the changes from `given` to it.
    var ready: ListSnapshot<Item>?
    var unread = UnreadChanges()
    /// The newest snapshot, and the changes from `ready` to it.
    var newest: ListSnapshot<Item>
    var pending = UnreadChanges()

    var isNew: Bool { given == nil || unread.isNew }

    /// Returns true if both lists have the same version of their store, or have different stores.
    func isAligned(with other: Member) -> Bool {
      store != other.store || newest.version == other.newest.version
    }

    mutating func adopt() {
      ready = newest
      unread.merge(pending)
      pending = UnreadChanges()
    }

    mutating func consume() -> ListStep? {
      guard let ready else { return nil }
      defer {
        given = ready
        unread = UnreadChanges()
      }
      return isNew ? ListStep(old: given, new: ready, unread: unread) : nil
    }
  }

  private final class Receiver: ListReceiver {
    private let subscription: JointSubscription
    private let index: Int

    init(_ subscription: JointSubscription, _ index: Int) {
      self.subscription = subscription
      self.index = index
    }

    func offer(_ snapshot: ListSnapshot<Item>, _ changes: UnreadChanges) -> [ListSnapshot<Item>] {
      subscription.state.withLock { state in
        let replaced = state.members[index].newest
        state.members[index].newest = snapshot
        state.members[index].pending.merge(changes)
        return state.align() + [replaced]
      }
    }

    func finish() {
      subscription.state.withLock { $0.isOver = true }
    }
  }

  private init() {
    state = AwaitableState(State()) { $0.isReady ? true : $0.isOver ? false : nil }
  }

  /// The caller must hold the receivers, because the lists hold them weakly.
  package static func subscribe(to lists: [SharedList]) -> (
    subscription: JointSubscription, receivers: [any Sendable]
  ) {
    let subscription = JointSubscription()
    let receivers = lists.enumerated().map { index, list in
      let store = list.owner.map { ObjectIdentifier($0) }
      return list.follow { snapshot in
        subscription.state.withLock { $0.members.append(Member(store: store, newest: snapshot)) }
        return Receiver(subscription, index)
      }
    }
    _ = subscription.state.withLock { state in
      state.isComplete = true
      state.isOver = lists.isEmpty
      return state.align()
    }
    return (subscription, receivers)
  }

  /// Waits until a list changes. Returns one step for each list, nil for a list without changes; nil
  /// instead of the array when the lists are released or the task is cancelled.
  package func nextSteps() async -> [ListStep?]? {
    guard await state.wait() else { return nil }
    return state.withLock { state in state.members.indices.map { state.members[$0].consume() } }
  }
}
