import Synchronization

/// One subscriber's place in the life of a `FetchedResults`: what it was given last, and what there is since.
///
/// Nothing is queued. While a subscriber is busy, only the newest snapshot and the set of ids that were touched are kept, and its next event is one diff from what it was
/// given last to the newest: what came and went in between cancels out.
public final class ResultsSubscription: Sendable {
  private let state: Mutex<State>

  private struct State {
    /// What the subscriber stands on; nil before it was given anything.
    var given: ResultsSnapshot?
    /// What it was given last stood on, with what was touched on the way: so that it can be taken back.
    var previous: (snapshot: ResultsSnapshot, touched: Touched)?
    /// What it was given and gave back.
    var refused: ResultsSnapshot?
    var newest: ResultsSnapshot
    /// What is different between `given` and `newest`.
    var touched = Touched()
    var isOver = false
    /// Those who wait; more than one where tasks share a subscription.
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// Whether there is something to give.
    var isReady: Bool { given == nil || touched.isNew }
  }

  init(_ snapshot: ResultsSnapshot) {
    state = Mutex(State(newest: snapshot))
  }

  /// A newer snapshot. Called in the order of the snapshots.
  func offer(_ snapshot: ResultsSnapshot, _ touched: Touched) {
    wake { state in
      state.newest = snapshot
      state.touched.merge(touched)
    }
  }

  /// Nothing more will come.
  func finish() {
    wake { $0.isOver = true }
  }

  /// Changes the state and lets all who wait look at it.
  private func wake(_ change: (inout sending State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The next event, as soon as there is one; nil when the results are gone or the task is cancelled. The first is the snapshot as it is now.
  public func next() async -> ResultsEvent? {
    while await hasStep() {
      if let event = takeEvent() { return event }
    }
    return nil
  }

  /// The same, where nothing may be different after all.
  func nextStep() async -> ResultsStep? {
    while await hasStep() {
      if let step = takeStep() { return step }
    }
    return nil
  }

  /// Waits until there is something to take, and takes nothing; false when the results are gone or the task is cancelled.
  package func hasStep() async -> Bool {
    while !Task.isCancelled {
      let (isReady, isOver) = state.withLock { ($0.isReady, $0.isOver) }
      if isReady || isOver { return isReady }
      await change()
    }
    return false
  }

  /// Takes the last step back, as when a script failed on it: the next step starts where that one did. It is given with the next change, not before.
  public func takeBack() {
    state.withLock { state in
      guard let previous = state.previous else { return }
      state.refused = state.given
      state.given = previous.snapshot
      state.touched.mergeEarlier(previous.touched)
      state.previous = nil
    }
  }

  /// What there is to give now.
  package func takeEvent() -> ResultsEvent? {
    guard let (step, refused) = take() else { return nil }
    // A file that was only read again is no reason to give what was taken back.
    if let refused, ResultsStep(old: refused, new: step.new, touched: step.touched).event == nil {
      takeBack()
      return nil
    }
    return step.event
  }

  /// The same, not looked into: O(1).
  func takeStep() -> ResultsStep? { take()?.step }

  private func take() -> (step: ResultsStep, refused: ResultsSnapshot?)? {
    state.withLock { state in
      guard state.isReady else { return nil }
      let step = ResultsStep(old: state.given, new: state.newest, touched: state.touched)
      defer { state.refused = nil }
      state.previous = step.old.map { ($0, step.touched) }
      state.given = state.newest
      state.touched = Touched()
      return (step, state.refused)
    }
  }

  /// Waits until something is offered, the results end or the task is cancelled.
  private func change() async {
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
