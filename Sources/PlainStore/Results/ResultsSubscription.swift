import DiffableSnapshot
import DirectoryWatch
import HashTreeCollections
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
    while !Task.isCancelled {
      if let event = takeEvent() { return event }
      if state.withLock({ $0.isOver }) { return nil }
      await change()
    }
    return nil
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
  func takeEvent() -> ResultsEvent? {
    let pending = state.withLock {
      state -> (given: ResultsSnapshot?, refused: ResultsSnapshot?, newest: ResultsSnapshot, touched: Touched)? in
      guard state.given == nil || state.touched.isNew else { return nil }
      let pending = (state.given, state.refused, state.newest, state.touched)
      let touched = state.touched
      state.previous = state.given.map { ($0, touched) }
      state.given = state.newest
      state.refused = nil
      state.touched = Touched()
      return pending
    }
    guard let (given, refused, newest, touched) = pending else { return nil }
    // A file that was only read again is no reason to give what was taken back.
    if let refused, touched.event(from: refused, to: newest) == nil {
      takeBack()
      return nil
    }
    return given.map { touched.event(from: $0, to: newest) } ?? .snapshot(newest)
  }

  /// Waits until something is offered, the results end or the task is cancelled.
  private func change() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          if state.touched.isNew || state.isOver || state.given == nil || Task.isCancelled { return true }
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

/// What may be different between two snapshots of one results.
struct Touched: Sendable {
  /// Every item that may have come, gone, moved or changed; nil: any may have.
  var ids: Set<Item.ID>? = []
  var paths: Set<RelativePath> = []
  var origin: ResultsUpdate.Origin?
  /// Whether there is something that the subscriber was not given yet; a step that was taken back is not.
  private(set) var isNew = false

  init() {}

  init(ids: Set<Item.ID>?, paths: Set<RelativePath>, origin: ResultsUpdate.Origin) {
    self.ids = ids
    self.paths = paths
    self.origin = origin
    isNew = true
  }

  mutating func merge(_ later: Touched) {
    ids = ids.flatMap { own in later.ids.map { own.union($0) } }
    paths.formUnion(later.paths)
    origin = origin.map { own in later.origin.map(own.merged) ?? own } ?? later.origin
    isNew = isNew || later.isNew
  }

  mutating func mergeEarlier(_ earlier: Touched) {
    let isNew = isNew
    merge(earlier)
    self.isNew = isNew
  }

  /// Nil where nothing is different after all.
  func event(from old: ResultsSnapshot, to new: ResultsSnapshot) -> ResultsEvent? {
    let problems = paths.sorted().compactMap { path -> ProblemChange? in
      let (was, now) = (old.problemsByPath[path], new.problemsByPath[path])
      if was == now { return nil }
      return now.map(ProblemChange.raised) ?? was.map(ProblemChange.cleared)
    }
    let update = ResultsUpdate(from: old, to: new, touched: ids, origin: origin ?? .files)
    if update.diff.isEmpty { return problems.isEmpty ? nil : .step(update: nil, problems: problems) }
    return .step(update: update, problems: problems)
  }
}
