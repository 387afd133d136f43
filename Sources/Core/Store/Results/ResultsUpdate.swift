import HashTreeCollections

/// One consistent step of a list from one snapshot to the next: the will-change, did-change and
/// did-change-content callbacks of `NSFetchedResultsController` in one value.
public struct ResultsUpdate: Sendable {
  /// The list before the update.
  public let old: ResultsSnapshot
  /// The list after the update.
  public let new: ResultsSnapshot
  /// The changes that lead from the old list to the new one.
  public let diff: SnapshotDiff<SectionID, Item.ID>
  /// The source of the changes, as the stream reports it: files, git, the view or the clock.
  public let origin: Origin
  /// The reason for the update.
  public let cause: Cause
  /// The time at which the first of the changes was noticed; nil if no event reported them, as for
  /// a change of the view.
  public internal(set) var since: SuspendingClock.Instant?
  /// The rows that the consumer was offered and has to take back, besides the changes.
  package internal(set) var takenBack: [TakenBack] = []

  /// True for the first update of a sequence, which leads from an empty list to the list as it is.
  public var isInitial: Bool { cause == .first }

  /// The origin of the changes of an update.
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// Files were written. Also the origin of an update with several causes.
    public static let files = Origin(description: "files")
    /// A git command ran.
    public static let git = Origin(description: "git")
    /// The search, the order or the settings changed.
    public static let view = Origin(description: "view")
    /// The day changed, and the request asks for `@today`.
    public static let clock = Origin(description: "clock")

    /// The word for the origin in the stream, such as `git`.
    public let description: String

    package func merged(with other: Origin) -> Origin { self == other ? self : .files }
  }

  /// The reason for an update.
  ///
  /// If a reader is slow, several steps become one update. Its cause is the first of `resumed`,
  /// `rescanned`, `view` and `changed` that one of them has.
  public struct Cause: Hashable, Sendable, CustomStringConvertible {
    /// The first update of a sequence, with the list as it is.
    public static let first = Cause(description: "first", priority: 4)
    /// Everything that changed since the list that a consumer had acknowledged before it stopped.
    public static let resumed = Cause(description: "resumed", priority: 3)
    /// Files changed, and each change was noticed.
    public static let changed = Cause(description: "changed", priority: 0)
    /// The complete folder was read again, for example because the system lost events, because the
    /// folder was renamed, or for `refresh()` or an audit. What changed in between may be missing,
    /// and the update may be large.
    public static let rescanned = Cause(description: "rescanned", priority: 2)
    /// The request, the settings or the day changed.
    public static let view = Cause(description: "view", priority: 1)

    /// The name of the cause, such as `rescanned`.
    public let description: String
    /// A merged update has the cause of the highest priority of those that it consists of.
    private let priority: Int

    static func of(_ origin: Origin) -> Cause { origin == .view || origin == .clock ? .view : .changed }

    func merged(with other: Cause) -> Cause { priority < other.priority ? other : self }
  }

  /// The reason why an item left the list.
  public struct DeleteReason: Hashable, Sendable, CustomStringConvertible {
    /// There is no longer an item with this id.
    public static let removed = DeleteReason(description: "removed")
    /// The folder, the predicate, the search or the window excludes the item, or it is in another section.
    public static let filtered = DeleteReason(description: "filtered")

    /// The word for the reason in the stream: `removed` or `filtered`.
    public let description: String
  }

  /// Returns the reason why the update deleted an item from the list.
  public func reason(forDeleting id: Item.ID) -> DeleteReason {
    let id = id.item
    // An item that no longer decodes counts as removed: nothing excludes it.
    return new.items[id] == nil && (new.storeItems[id] == nil || new.undecodedPaths[id] != nil)
      ? .removed : .filtered
  }

  /// Returns the changes of an item among the fields that the new snapshot shows; nil if one of the
  /// snapshots does not know the item.
  public func fieldChanges(of id: Item.ID) -> FieldChanges? {
    guard let before = old.content(of: id), let after = new.content(of: id) else { return nil }
    return before.changes(to: after)
  }
}

extension ResultsSnapshot {
  /// Returns true if the snapshots show different values of an item that both know. Costs O(log n)
  /// and a comparison of the fields. In a list of models, equal models show the same unless an item
  /// that they have a link to differs.
  func shows(of id: Item.ID, otherThan old: ResultsSnapshot) -> Bool {
    if showsObjects {
      let object = model(id)
      return old.model(id) != object || object?.links.contains { !hasSame($0, as: old) } == true
    }
    guard let before = old.content(of: id), let after = content(of: id) else { return false }
    return !before.isIdentical(to: after) && !before.changes(to: after).isEmpty
  }

  private func hasSame(_ id: Item.ID, as old: ResultsSnapshot) -> Bool {
    let before = old.storeItems[id]
    let after = storeItems[id]
    return before === after || before?.path == after?.path && before?.fields == after?.fields
  }
}

/// An event of a `FetchedResults`.
///
/// There are no other cases: the first event is the list, each later one is a step.
public enum ResultsEvent: Sendable {
  /// The list as it is now. Always the first event.
  case snapshot(ResultsSnapshot)
  /// A step of the list, of the problems, or of both. `update` is nil if only problems appeared or
  /// disappeared.
  case step(update: ResultsUpdate?, problems: [ProblemChange])
}

extension ResultsUpdate {
  /// Computes the step between two snapshots of one results. A nil `cause` is that of the origin.
  ///
  /// - Parameters:
  ///   - touched: The rows that may have come, gone, moved or changed; nil if any may have. Pass them if
  ///     they are known: only they cost anything, and only they move.
  ///   - edited: The items that may have other contents; nil if any may.
  package init(
    from old: ResultsSnapshot, to new: ResultsSnapshot, touched: Set<Item.ID>?, edited: Set<Item.ID>? = nil,
    origin: Origin,
    cause: Cause? = nil, since: SuspendingClock.Instant? = nil
  ) {
    let edited = old.request.fields == new.request.fields ? edited.map(new.rows) : nil
    let candidates = edited ?? touched ?? Set(new.list.itemIdentifiers)
    let updated = new.updated(candidates, since: old)
    let diff = new.list.difference(
      from: old.list, touched: touched, updated: updated, updatedSections: new.sections(retitledSince: old))
    self.init(
      old: old, new: new, diff: diff, origin: origin, cause: cause ?? Cause.of(origin), since: since)
  }

  /// Computes the step between two snapshots that differ in exactly these rows: all of them are listed.
  init(
    from old: ResultsSnapshot, to new: ResultsSnapshot, rows: PendingRows, origin: Origin, cause: Cause,
    since: SuspendingClock.Instant?
  ) {
    let updated = new.updated(rows.all, since: old)
    let diff = new.list.difference(
      from: old.list, placed: rows.placed, updated: updated, updatedSections: new.sections(retitledSince: old)
    )
    self.init(old: old, new: new, diff: diff, origin: origin, cause: cause, since: since)
  }
}

extension ResultsSnapshot {
  private static let comparedAtOnce = 512

  /// Returns the items that show other values than in an older list. User code compares models, in turn.
  fileprivate func updated(_ candidates: Set<Item.ID>, since old: ResultsSnapshot) -> Set<Item.ID> {
    if showsObjects || candidates.count <= ResultsSnapshot.comparedAtOnce {
      return candidates.filter { shows(of: $0, otherThan: old) }
    }
    let ids = Array(candidates)
    let updated = ParallelWork.map(ids.count, by: ResultsSnapshot.comparedAtOnce) { range in
      ids[range].filter { shows(of: $0, otherThan: old) }
    }
    return Set(updated.joined())
  }

  fileprivate func sections(retitledSince old: ResultsSnapshot) -> Set<SectionID> {
    let titles = (old.titles, titles)
    return titles.0 == titles.1 ? [] : Set(list.sectionIdentifiers.filter { titles.0[$0] != titles.1[$0] })
  }
}
