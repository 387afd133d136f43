/// One subscriber's position in the life of a `FetchedResults`: the snapshot that it was given
/// last, and what changed since.
///
/// Nothing is queued. While a subscriber is busy, only the newest snapshot and the set of touched
/// ids are kept. Its next event is one diff from the snapshot that it was given last to the newest
/// one; what appeared and disappeared in between cancels out.
///
/// One lock guards the state (`AwaitableState`).
public final class ResultsSubscription: ResultsReceiver {
  private let state: AwaitableState<State>

  private struct State: ReadinessReporting {
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
    /// True if a step that only says something about the folder is an event, too.
    var followsFolder = false

    /// True if there is a step to give.
    var isReady: Bool {
      given.map { unread.isNew || followsFolder && $0.differsInFolder(from: newest) } ?? true
    }
  }

  /// True if the subscriber has something to consume.
  var isReady: Bool { state.withLock(\.isReady) }

  /// The snapshot that the subscriber was given last; nil before its first event.
  package var given: ResultsSnapshot? { state.withLock(\.given) }

  init(_ snapshot: ResultsSnapshot) {
    state = AwaitableState(State(newest: snapshot))
  }

  /// Creates a subscription that begins after a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot that the subscriber has.
  ///   - newest: The list as it is now.
  ///   - unread: The changes between them.
  init(after snapshot: ResultsSnapshot, newest: ResultsSnapshot, _ unread: UnreadChanges) {
    state = AwaitableState(State(given: snapshot, newest: newest, unread: unread))
  }

  /// Creates a subscription at the position of another one.
  init(copying other: ResultsSubscription) {
    state = AwaitableState(
      other.state.withLock { State(given: $0.given, newest: $0.newest, unread: $0.unread) })
  }

  @discardableResult
  func offer(_ snapshot: ResultsSnapshot, _ changes: UnreadChanges) -> [ResultsSnapshot] {
    state.withLock { state in
      defer {
        state.newest = snapshot
        state.unread.merge(changes)
      }
      return [state.newest]
    }
  }

  /// From now on another number of all items of the folder, or other
  /// ``ResultsSnapshot/warnings``, are an event too, even if the list stays the same: a step without
  /// an update and without problems.
  public func followFolder() { state.withLock { $0.followsFolder = true } }

  /// Ends the subscription after what it was offered.
  func finish() {
    state.withLock { $0.isOver = true }
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
  package func hasStep() async -> Bool { await state.wait() }

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
    if let event = step.event { return event }
    let isOfFolder = state.withLock(\.followsFolder) && step.old?.differsInFolder(from: step.new) == true
    return isOfFolder ? .step(update: nil, problems: []) : nil
  }

  /// Waits until the warnings of the list are others, and returns those that are new. Nil when the
  /// results are gone or the task is cancelled. No diff of the list is computed.
  package func nextWarnings() async -> [Hint]? {
    followFolder()
    while await hasStep() {
      guard let step = consumeStep() else { continue }
      let known = step.old?.warnings ?? []
      let new = step.new.warnings.filter { !known.contains($0) }
      if !new.isEmpty { return new }
    }
    return nil
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
}

extension ResultsSnapshot {
  /// Returns true if what is shown about the folder differs, whether or not the list does.
  fileprivate func differsInFolder(from other: ResultsSnapshot) -> Bool {
    storeItems.count != other.storeItems.count || unquotedStrings != other.unquotedStrings
  }
}

/// A receiver of the changes of a list.
protocol ResultsReceiver: AnyObject, Sendable {
  /// Offers a newer snapshot. Called in the order of the snapshots, under the lock of the list.
  ///
  /// - Parameter changes: The differences; none if the receiver need not wake up for them.
  /// - Returns: The replaced snapshots, which the caller releases outside of its lock.
  func offer(_ snapshot: ResultsSnapshot, _ changes: UnreadChanges) -> [ResultsSnapshot]

  /// Ends the changes. Called when the list is released.
  func finish()
}
