import Synchronization

/// One subscriber's position in the life of a `FetchedResults`: the snapshot that it was given
/// last, and what changed since.
///
/// Nothing is queued. While a subscriber is busy, only the newest snapshot and the set of touched
/// ids are kept. Its next event is one diff from the snapshot that it was given last to the newest
/// one; what came and went in between cancels out.
///
/// One lock guards the state. Nothing else is locked while it is held.
public final class ResultsSubscription: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// The snapshot that the subscriber was given last; nil before its first event.
    var given: ResultsSnapshot?
    /// The snapshot before `given`, and what was touched on the way, so that a step can be
    /// returned.
    var previous: (snapshot: ResultsSnapshot, unread: UnreadChanges)?
    /// The snapshot of the step that was returned.
    var returned: ResultsSnapshot?
    var newest: ResultsSnapshot
    /// The changes between `given` and `newest`.
    var unread = UnreadChanges()
    var isOver = false
    /// The tasks that wait; more than one if tasks share a subscription.
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// True if there is a step to give.
    var isReady: Bool { given == nil || unread.isNew }
  }

  init(_ snapshot: ResultsSnapshot) {
    state = Mutex(State(newest: snapshot))
  }

  /// Offers a newer snapshot. Called in the order of the snapshots.
  ///
  /// - Parameter changes: What is different; nothing new if the subscriber need not wake up for it.
  /// - Returns: The snapshot that was replaced, so that the caller decides where it is released.
  @discardableResult
  func offer(_ snapshot: ResultsSnapshot, _ changes: UnreadChanges) -> ResultsSnapshot {
    let replace = { (state: inout State) in
      defer {
        state.newest = snapshot
        state.unread.merge(changes)
      }
      return state.newest
    }
    return changes.isNew ? wake(replace) : state.withLock { replace(&$0) }
  }

  /// Ends the subscription after what it was offered.
  func finish() {
    wake { $0.isOver = true }
  }

  /// Changes the state and wakes every task that waits, so that it checks the state again.
  private func wake<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, waiters) = state.withLock { state in
      let result = change(&state)
      defer { state.waiters = [] }
      return (result, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return result
  }

  /// Returns the next event as soon as there is one; nil when the results are gone or the task is
  /// cancelled. The first event is the snapshot as it is then.
  public func next() async -> ResultsEvent? {
    while await hasStep() {
      if let event = consumeEvent() { return event }
    }
    return nil
  }

  /// Returns the next step as soon as there is one, even if its diff is empty; nil when the results
  /// are gone or the task is cancelled.
  func nextStep() async -> ResultsStep? {
    while await hasStep() {
      if let step = consumeStep() { return step }
    }
    return nil
  }

  /// Waits until there is a step, and leaves it there. False when the results are gone or the task
  /// is cancelled.
  package func hasStep() async -> Bool {
    while !Task.isCancelled {
      let (isReady, isOver) = state.withLock { ($0.isReady, $0.isOver) }
      if isReady || isOver { return isReady }
      await waitForChange()
    }
    return false
  }

  /// Returns the last step to the subscription, for example after a script failed on it. The next
  /// step then begins where that one did. It is given with the next change, not before.
  public func returnLastStep() {
    state.withLock { state in
      guard let previous = state.previous else { return }
      state.returned = state.given
      state.given = previous.snapshot
      state.unread.mergeEarlier(previous.unread)
      state.previous = nil
    }
  }

  /// Returns the event that is due now, and counts it as given; nil if nothing changed.
  package func consumeEvent() -> ResultsEvent? {
    guard let (step, returned) = consume() else { return nil }
    // A file that was only read again is not a reason to deliver a returned step again.
    if let returned, ResultsStep(old: returned, new: step.new, unread: step.unread).event == nil {
      returnLastStep()
      return nil
    }
    return step.event
  }

  /// Returns the step that is due now, and counts it as given. O(1): its diff is not computed.
  func consumeStep() -> ResultsStep? { consume()?.step }

  private func consume() -> (step: ResultsStep, returned: ResultsSnapshot?)? {
    state.withLock { state in
      guard state.isReady else { return nil }
      let step = ResultsStep(old: state.given, new: state.newest, unread: state.unread)
      defer { state.returned = nil }
      state.previous = step.old.map { ($0, step.unread) }
      state.given = state.newest
      state.unread = UnreadChanges()
      return (step, state.returned)
    }
  }

  /// Waits until a snapshot is offered, the results end or the task is cancelled.
  private func waitForChange() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          if state.isReady || state.isOver || Task.isCancelled { return true }
          state.waiters.append(continuation)
          return false
        }
        if isLate { continuation.resume() }
      }
    } onCancel: {
      wake { _ in }
    }
  }
}
