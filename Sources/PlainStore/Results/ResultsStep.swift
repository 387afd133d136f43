import DiffableSnapshot
import DirectoryWatch
import HashTreeCollections

/// What a subscriber has to be told: from what it was given last to the newest.
struct ResultsStep: Sendable {
  /// Nil where it was given nothing yet.
  let old: ResultsSnapshot?
  let new: ResultsSnapshot
  let touched: Touched

  /// Nil where nothing is different after all, and for the first step, which is a snapshot.
  var update: ResultsUpdate? {
    guard let old else { return nil }
    let update = ResultsUpdate(
      from: old, to: new, touched: touched.ids, edited: touched.edited, origin: touched.origin ?? .files, since: touched.since)
    return update.diff.isEmpty ? nil : update
  }

  /// The problems that came and went, in the order of their paths; of the first step all that there are.
  var problems: [ProblemChange] {
    guard let old else { return new.problems.map(ProblemChange.raised) }
    return touched.paths.sorted().compactMap { path in
      let (was, now) = (old.problemsByPath[path], new.problemsByPath[path])
      if was == now { return nil }
      return now.map(ProblemChange.raised) ?? was.map(ProblemChange.cleared)
    }
  }

  /// Nil where nothing is different after all.
  var event: ResultsEvent? {
    if old == nil { return .snapshot(new) }
    let (update, problems) = (update, problems)
    return update == nil && problems.isEmpty ? nil : .step(update: update, problems: problems)
  }
}

/// What may be different between two snapshots of one results.
struct Touched: Sendable {
  /// Every item that may have come, gone, moved or changed; nil: any may have.
  private(set) var ids: Set<Item.ID>? = []
  /// Those of them that are known to be others than they were.
  private(set) var edited: Set<Item.ID> = []
  private(set) var paths: Set<RelativePath> = []
  private(set) var origin: ResultsUpdate.Origin?
  /// When the first of it was noticed; nil where no event told of it.
  private(set) var since: SuspendingClock.Instant?
  /// Whether there is something that the subscriber was not given yet; a step that was taken back is not.
  private(set) var isNew = false

  init() {}

  /// - Parameter ids: nil where another view may have moved any of them.
  init(ids: Set<Item.ID>?, _ changes: StoreChanges = StoreChanges(), origin: ResultsUpdate.Origin, since: SuspendingClock.Instant? = nil) {
    self.ids = ids
    edited = changes.ids
    paths = changes.paths
    self.origin = origin
    self.since = since
    isNew = true
  }

  mutating func merge(_ later: Touched) {
    ids = ids.flatMap { own in later.ids.map { own.union($0) } }
    edited.formUnion(later.edited)
    paths.formUnion(later.paths)
    origin = origin.map { own in later.origin.map(own.merged) ?? own } ?? later.origin
    if let other = later.since { since = since.map { min($0, other) } ?? other }
    isNew = isNew || later.isNew
  }

  mutating func mergeEarlier(_ earlier: Touched) {
    let isNew = isNew
    merge(earlier)
    self.isNew = isNew
  }
}
