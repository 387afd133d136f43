import DiffableSnapshot
import Files
import Folder
import HashTreeCollections
import Query

/// One subscriber's position in the life of a `LiveList`: the snapshot that it was given
/// last, and what changed since.
///
/// Nothing is queued. While a subscriber is busy, only the newest snapshot and the set of touched
/// ids are kept. Its next event is one diff from the snapshot that it was given last to the newest
/// one; what appeared and disappeared in between cancels out.
///
/// One lock guards the state (`AwaitableState`).
package final class ListSubscription: ListReceiver {
  private let state: AwaitableState<State>

  private struct State {
    /// The snapshot that the subscriber was given last; nil before its first event.
    var given: ListSnapshot<Item>?
    /// The snapshot before `given`, and what was touched on the way, to return a step.
    var previous: (snapshot: ListSnapshot<Item>, unread: UnreadChanges)?
    var returned: ListSnapshot<Item>?
    var newest: ListSnapshot<Item>
    var unread = UnreadChanges()
    var isOver = false
    var interest = Interest.list

    var isReady: Bool {
      guard let given else { return true }
      return switch interest {
      case .list: unread.isNew
      case .listAndFolder: unread.isNew || given.differsInFolder(from: newest)
      case .warnings: given.unquotedStrings != newest.unquotedStrings
      }
    }
  }

  /// The changes that wake a subscriber.
  private enum Interest {
    case list, listAndFolder, warnings
  }

  var isReady: Bool { state.withLock(\.isReady) }

  package var given: ListSnapshot<Item>? { state.withLock(\.given) }

  /// - Parameter snapshot: The snapshot that the subscriber has; nil if its first event is `newest`.
  init(
    after snapshot: ListSnapshot<Item>? = nil, newest: ListSnapshot<Item>,
    _ unread: UnreadChanges = UnreadChanges()
  ) {
    state = AwaitableState(State(given: snapshot, newest: newest, unread: unread)) {
      $0.isReady ? true : $0.isOver ? false : nil
    }
  }

  convenience init(copying other: ListSubscription) {
    let state = other.state.withLock(\.self)
    self.init(after: state.given, newest: state.newest, state.unread)
  }

  @discardableResult
  func offer(_ snapshot: ListSnapshot<Item>, _ changes: UnreadChanges) -> [ListSnapshot<Item>] {
    state.withLock { state in
      var replaced = [exchange(&state.newest, with: snapshot)]
      if state.interest == .warnings, !state.isReady {
        // Nothing of the list is kept for a subscriber that never asks for it.
        replaced += exchange(&state.given, with: snapshot).map { [$0] } ?? []
      } else {
        state.unread.merge(changes)
      }
      return replaced
    }
  }

  /// From now on another number of all items of the folder, or other ``ListSnapshot/warnings``, are an
  /// event too, even if the list stays the same: a step without an update and without problems.
  package func followFolder() { state.withLock { $0.interest = .listAndFolder } }

  func finish() {
    state.withLock { $0.isOver = true }
  }

  /// Returns the next event as soon as there is one; nil when the list is gone or the task is
  /// cancelled. The first event is the snapshot as it is then.
  package func next() async -> ListEvent? {
    while await hasStep() {
      if let event = consumeEvent() { return event }
    }
    return nil
  }

  /// Returns the next step, even if its diff is empty; nil when the list is gone or the task is
  /// cancelled.
  package func nextStep() async -> ListStep? {
    while await hasStep() {
      if let step = consumeStep() { return step }
    }
    return nil
  }

  /// Waits for a step, and leaves it there. False when the list is gone or the task is cancelled.
  package func hasStep() async -> Bool { await state.wait() }

  /// Returns the last step to the subscription, for example after a script failed on it. The next
  /// step then begins where that one did. It is given with the next change, not before.
  package func returnLastStep() {
    state.withLock { state in
      guard let previous = state.previous else { return }
      state.returned = state.given
      state.given = previous.snapshot
      state.unread.mergeEarlier(previous.unread)
      state.previous = nil
    }
  }

  /// Returns the event that is due now, and counts it as given; nil if nothing changed.
  package func consumeEvent() -> ListEvent? {
    guard let (step, returned) = consume() else { return nil }
    // A file that was only read again is not a reason to deliver a returned step again.
    if let returned, ListStep(old: returned, new: step.new, unread: step.unread).event == nil {
      returnLastStep()
      return nil
    }
    if let event = step.event { return event }
    let followsFolder = state.withLock(\.interest) == .listAndFolder
    let isOfFolder = followsFolder && step.old?.differsInFolder(from: step.new) == true
    return isOfFolder ? .step(update: nil, problems: []) : nil
  }

  /// Waits until the warnings of the list are others, and returns those that are new. Nil when the
  /// list is gone or the task is cancelled. Other changes of the list don't wake the caller.
  package func nextWarnings() async -> [Hint]? {
    state.withLock { $0.interest = .warnings }
    while await hasStep() {
      guard let step = consumeStep() else { continue }
      let known = step.old?.warnings ?? []
      let new = step.new.warnings.filter { !known.contains($0) }
      if !new.isEmpty { return new }
    }
    return nil
  }

  /// Returns the step that is due now, and counts it as given. O(1): its diff is not computed.
  func consumeStep() -> ListStep? { consume()?.step }

  private func consume() -> (step: ListStep, returned: ListSnapshot<Item>?)? {
    state.withLock { state in
      guard state.isReady else { return nil }
      let step = ListStep(old: state.given, new: state.newest, unread: state.unread)
      defer { state.returned = nil }
      state.previous = state.interest == .warnings ? nil : step.old.map { ($0, step.unread) }
      state.given = state.newest
      state.unread = UnreadChanges()
      return (step, state.returned)
    }
  }
}

extension ListSnapshot {
  /// Returns true if what is shown about the folder differs, whether or not the list does.
  fileprivate func differsInFolder(from other: ListSnapshot) -> Bool {
    storeItems.count != other.storeItems.count || unquotedStrings != other.unquotedStrings
  }
}

protocol ListReceiver: AnyObject, Sendable {
  /// Offers a newer snapshot, in their order and under the lock of the list. `changes` are none if the
  /// receiver need not wake up for them. Returns the replaced snapshots, to be released outside of the lock.
  func offer(_ snapshot: ListSnapshot<Item>, _ changes: UnreadChanges) -> [ListSnapshot<Item>]

  func finish()
}

/// The step from the snapshot that a subscriber was given last to the newest one.
package struct ListStep: Sendable {
  /// The snapshot before the step; nil for a subscriber's first step.
  package let old: ListSnapshot<Item>?
  package let new: ListSnapshot<Item>
  let unread: UnreadChanges

  package func mapped(by mapping: ItemMapping?) -> ListStep {
    ListStep(old: old?.mapped(by: mapping), new: new.mapped(by: mapping), unread: unread)
  }

  /// The update of the list; nil for the first step, and if the list did not change.
  package var update: ListUpdate<Item>? {
    guard let old else { return nil }
    let update = ListUpdate<Item>(
      from: old, to: new, touched: unread.ids, edited: unread.edited, origin: unread.origin ?? .files,
      cause: unread.cause, since: unread.since)
    return update.diff.isEmpty ? nil : update
  }

  /// The problems that came and went, in the order of their paths; for the first step, and for one
  /// after which a subscriber continues, all problems.
  var problems: [ProblemChange] {
    guard let old else { return new.problems.map(ProblemChange.raised) }
    // A list that was kept in memory has problems, but its consumer may not have received them.
    let known = unread.cause == .resumed ? [:] : old.problemsByPath
    return unread.paths.sorted().compactMap { path in
      let (was, now) = (known[path], new.problemsByPath[path])
      if was == now { return nil }
      return now.map(ProblemChange.raised) ?? was.map(ProblemChange.cleared)
    }
  }

  /// The event for the subscriber; nil if neither the list nor its problems changed.
  package var event: ListEvent? {
    if old == nil { return .snapshot(new) }
    let (update, problems) = (update, problems)
    return update == nil && problems.isEmpty ? nil : .step(update: update, problems: problems)
  }
}

/// The changes between two snapshots of one list, as hints for the diff.
struct UnreadChanges: Sendable {
  /// Every row that may have come, gone, moved or changed; nil if any may have.
  private(set) var ids: Set<Item.ID>? = []
  /// The items that were read again with another content; nil if any may have been. These are ids
  /// of items, because the rows of an item change with the sections of the request.
  private(set) var edited: Set<Item.ID>? = []
  private(set) var paths: Set<RelativePath> = []
  private(set) var origin: UpdateOrigin?
  private(set) var cause: UpdateCause?
  private(set) var since: SuspendingClock.Instant?
  /// True if there is a change that the subscriber was not given yet. Changes of a returned step are not new.
  private(set) var isNew = false
  /// The number of steps that changed nothing shown, and were not merged here: there was nothing to give.
  private var quietCount = 0

  /// A subscriber holds the snapshot that it was given last, and thereby a state of the store. So
  /// after this many quiet steps it is woken up and gets a newer one.
  private static let maxQuietCount = 256

  init() {}

  /// Changes that may concern any item, and any problem of two lists.
  static func unknown(from old: ListSnapshot<Item>, to new: ListSnapshot<Item>) -> UnreadChanges {
    let paths = Set(old.problemsByPath.keys).union(new.problemsByPath.keys)
    var changes = UnreadChanges(ids: nil, StoreChanges(ids: [], paths: paths), origin: .files)
    changes.edited = nil
    return changes
  }

  /// Everything that may differ from a list of an earlier run, whose problems are not known.
  static func resumed(_ newest: ListSnapshot<Item>) -> UnreadChanges {
    var changes = UnreadChanges(
      ids: nil, StoreChanges(ids: [], paths: Set(newest.problemsByPath.keys)), origin: .files, cause: .resumed
    )
    changes.edited = nil
    return changes
  }

  /// - Parameter ids: The rows that may differ; nil if another view may have moved any of them.
  init(
    ids: Set<Item.ID>?, _ changes: StoreChanges = StoreChanges(), origin: UpdateOrigin,
    cause: UpdateCause? = nil, since: SuspendingClock.Instant? = nil
  ) {
    self.ids = ids
    edited = changes.ids
    paths = changes.paths
    self.origin = origin
    self.cause = cause ?? .of(origin)
    self.since = since
    isNew = true
  }

  /// The same changes if the list shows none of them: a subscriber need not wake up for them.
  var quiet: UnreadChanges {
    var quiet = self
    quiet.isNew = false
    quiet.quietCount = 1
    return quiet
  }

  private var isEmpty: Bool { !isNew && ids?.isEmpty == true && edited?.isEmpty == true && paths.isEmpty }

  mutating func merge(_ later: UnreadChanges) {
    if isEmpty, later.quietCount > 0, !later.isNew {
      quietCount += later.quietCount
      isNew = quietCount > UnreadChanges.maxQuietCount
      return
    }
    ids = ids.flatMap { own in later.ids.map { own.isEmpty ? $0 : own.union($0) } }
    edited = edited.flatMap { own in later.edited.map { own.isEmpty ? $0 : own.union($0) } }
    paths.formUnion(later.paths)
    origin = origin.map { own in later.origin.map(own.merged) ?? own } ?? later.origin
    cause = cause.map { own in later.cause.map(own.merged) ?? own } ?? later.cause
    if let other = later.since { since = since.map { min($0, other) } ?? other }
    isNew = isNew || later.isNew
  }

  /// Adds the changes of a returned step, which do not count as new.
  mutating func mergeEarlier(_ earlier: UnreadChanges) {
    let isNew = isNew
    merge(earlier)
    self.isNew = isNew
  }
}
