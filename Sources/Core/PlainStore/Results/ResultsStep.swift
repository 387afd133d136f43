import DiffableSnapshot
import Files
import Folder
import HashTreeCollections
import Query

/// The step from the snapshot that a subscriber was given last to the newest one.
struct ResultsStep: Sendable {
  /// The snapshot before the step; nil for a subscriber's first step.
  let old: ResultsSnapshot?
  /// The newest snapshot.
  let new: ResultsSnapshot
  /// The changes between the two.
  let unread: UnreadChanges

  /// Returns this step with the models replaced by those that a mapping makes of them.
  func mapped(by mapping: ModelMapping?) -> ResultsStep {
    ResultsStep(old: old?.mapped(by: mapping), new: new.mapped(by: mapping), unread: unread)
  }

  /// The update of the list; nil for the first step, and if the list did not change.
  var update: ResultsUpdate? {
    guard let old else { return nil }
    let update = ResultsUpdate(
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
  var event: ResultsEvent? {
    if old == nil { return .snapshot(new) }
    let (update, problems) = (update, problems)
    return update == nil && problems.isEmpty ? nil : .step(update: update, problems: problems)
  }
}

/// The changes between two snapshots of one results, as hints for the diff.
struct UnreadChanges: Sendable {
  /// Every row that may have come, gone, moved or changed; nil if any may have.
  private(set) var ids: Set<Item.ID>? = []
  /// The items that were read again with another content; nil if any may have been. These are ids
  /// of items, because the rows of an item change with the sections of the request.
  private(set) var edited: Set<Item.ID>? = []
  private(set) var paths: Set<RelativePath> = []
  private(set) var origin: ResultsUpdate.Origin?
  private(set) var cause: ResultsUpdate.Cause?
  /// The time at which the first of the changes was noticed; nil if no event reported it.
  private(set) var since: SuspendingClock.Instant?
  /// True if there is a change that the subscriber was not given yet. Changes of a returned step
  /// are not new.
  private(set) var isNew = false
  /// The number of steps that changed nothing that the list shows, and that are not merged here
  /// because there was nothing to give.
  private var quietCount = 0

  /// A subscriber holds the snapshot that it was given last, and thereby a state of the store. So
  /// after this many quiet steps it is woken up and gets a newer one.
  private static let maxQuietCount = 256

  init() {}

  /// Changes that may concern any item.
  static let unknown: UnreadChanges = {
    var changes = UnreadChanges(ids: nil, origin: .files)
    changes.edited = nil
    return changes
  }()

  /// Everything that may differ from a list of an earlier run, whose problems are not known.
  static func resumed(_ newest: ResultsSnapshot) -> UnreadChanges {
    var changes = UnreadChanges(
      ids: nil, StoreChanges(ids: [], paths: Set(newest.problemsByPath.keys)), origin: .files, cause: .resumed
    )
    changes.edited = nil
    return changes
  }

  /// - Parameters:
  ///   - ids: The rows that may differ; nil if another view may have moved any of them.
  ///   - changes: The items and problems that changed.
  init(
    ids: Set<Item.ID>?, _ changes: StoreChanges = StoreChanges(), origin: ResultsUpdate.Origin,
    cause: ResultsUpdate.Cause? = nil, since: SuspendingClock.Instant? = nil
  ) {
    self.ids = ids
    edited = changes.ids
    paths = changes.paths
    self.origin = origin
    self.cause = cause ?? ResultsUpdate.Cause(of: origin)
    self.since = since
    isNew = true
  }

  /// These changes as those of a step that changed nothing that the list shows. A subscriber need
  /// not wake up for them.
  var quiet: UnreadChanges {
    var quiet = self
    quiet.isNew = false
    quiet.quietCount = 1
    return quiet
  }

  /// True if there are no changes, new or not.
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
