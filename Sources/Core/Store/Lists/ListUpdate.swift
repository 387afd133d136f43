import HashTreeCollections

/// One consistent step of a list from one snapshot to the next: the will-change, did-change and
/// did-change-content callbacks of `NSFetchedResultsController` in one value.
///
/// ```swift
/// var rows: [Contact] = []
/// for await update in try store.list(of: Contact.self).updates {
///   for change in update.changes { print(change) }
///   update.apply(to: &rows)
/// }
/// ```
public struct ListUpdate<Element: Sendable>: Sendable {
  /// The list before the update.
  public let old: ListSnapshot<Element>
  /// The list after the update.
  public let new: ListSnapshot<Element>
  /// The changes that lead from the old list to the new one.
  package let diff: SnapshotDiff<SectionID, Item.ID>
  /// The source of the changes, as the stream reports it: files, git, the view or the clock.
  package let origin: UpdateOrigin
  /// The reason for the update.
  public let cause: UpdateCause
  /// The time at which the first of the changes was noticed; nil if no event reported them, as for
  /// a change of the view.
  package var since: SuspendingClock.Instant?
  /// The rows that the consumer was offered and has to take back, besides the changes.
  package var takenBack: [TakenBack] = []

  /// True for the first update of a sequence, which leads from an empty list to the list as it is.
  public var isInitial: Bool { cause == .first }

  package init(_ other: ListUpdate<some Sendable>) {
    self.init(
      old: ListSnapshot(other.old), new: ListSnapshot(other.new), diff: other.diff, origin: other.origin,
      cause: other.cause, since: other.since, takenBack: other.takenBack)
  }

  package init(
    old: ListSnapshot<Element>, new: ListSnapshot<Element>, diff: SnapshotDiff<SectionID, Item.ID>,
    origin: UpdateOrigin, cause: UpdateCause, since: SuspendingClock.Instant?, takenBack: [TakenBack] = []
  ) {
    self.old = old
    self.new = new
    self.diff = diff
    self.origin = origin
    self.cause = cause
    self.since = since
    self.takenBack = takenBack
  }

  /// Returns the reason why the update deleted an item from the list.
  package func reason(forDeleting id: Item.ID) -> DeleteReason {
    let id = id.item
    // An item that no longer decodes counts as removed: nothing excludes it.
    return new.items[id] == nil && (new.storeItems[id] == nil || new.undecodedPaths[id] != nil)
      ? .removed : .filtered
  }

  /// Returns the changes of an item among the fields that the new snapshot shows; nil if one of the
  /// snapshots does not know the item.
  package func fieldChanges(of id: Item.ID) -> FieldChanges? {
    guard let before = old.content(of: id), let after = new.content(of: id) else { return nil }
    return before.changes(to: after)
  }
}

/// The origin of the changes of an update.
package struct UpdateOrigin: Hashable, Sendable, CustomStringConvertible {
  /// Files were written. Also the origin of an update with several causes.
  package static let files = UpdateOrigin(description: "files")
  /// A git command ran.
  package static let git = UpdateOrigin(description: "git")
  /// The search, the order or the settings changed.
  package static let view = UpdateOrigin(description: "view")
  /// The day changed, and the request asks for `@today`.
  package static let clock = UpdateOrigin(description: "clock")

  /// The word for the origin in the stream, such as `git`.
  package let description: String

  package func merged(with other: UpdateOrigin) -> UpdateOrigin { self == other ? self : .files }
}

/// The reason for an update.
///
/// If a reader is slow, several steps become one update. Its cause is the first of `resumed`,
/// `rescanned`, `view` and `changed` that one of them has.
public struct UpdateCause: Hashable, Sendable, CustomStringConvertible {
  /// The first update of a sequence, with the list as it is.
  public static let first = UpdateCause(description: "first", priority: 4)
  /// Everything that changed since the list that a consumer had acknowledged before it stopped.
  package static let resumed = UpdateCause(description: "resumed", priority: 3)
  /// Files changed, and each change was noticed.
  public static let changed = UpdateCause(description: "changed", priority: 0)
  /// The complete folder was read again, for example because the system lost events, because the
  /// folder was renamed, or for `refresh()` or an audit. What changed in between may be missing,
  /// and the update may be large.
  public static let rescanned = UpdateCause(description: "rescanned", priority: 2)
  /// The request, the settings or the day changed.
  public static let view = UpdateCause(description: "view", priority: 1)

  /// The name of the cause, such as `rescanned`.
  public let description: String
  /// A merged update has the cause of the highest priority of those that it consists of.
  private let priority: Int

  static func of(_ origin: UpdateOrigin) -> UpdateCause {
    origin == .view || origin == .clock ? .view : .changed
  }

  package func merged(with other: UpdateCause) -> UpdateCause { priority < other.priority ? other : self }
}

/// The reason why an item left the list.
package struct DeleteReason: Hashable, Sendable, CustomStringConvertible {
  /// There is no longer an item with this id.
  package static let removed = DeleteReason(description: "removed")
  /// The folder, the predicate, the search or the window excludes the item, or it is in another section.
  package static let filtered = DeleteReason(description: "filtered")

  /// The word for the reason in the stream: `removed` or `filtered`.
  package let description: String
}

extension ListSnapshot {
  /// Returns true if the snapshots show different values of an item that both know. Costs O(log n)
  /// and a comparison of the fields. In a list of models, equal models show the same unless an item
  /// that they have a link to differs.
  func shows(of id: Item.ID, otherThan old: ListSnapshot) -> Bool {
    if showsObjects {
      let object = model(id)
      return old.model(id) != object || object?.links.contains { !hasSame($0, as: old) } == true
    }
    guard let before = old.content(of: id), let after = content(of: id) else { return false }
    return !before.isIdentical(to: after) && !before.changes(to: after).isEmpty
  }

  private func hasSame(_ id: Item.ID, as old: ListSnapshot) -> Bool {
    let before = old.storeItems[id]
    let after = storeItems[id]
    return before === after || before?.path == after?.path && before?.fields == after?.fields
  }
}

/// An event of a `LiveList`.
///
/// There are no other cases: the first event is the list, each later one is a step.
public enum ListEvent: Sendable {
  /// The list as it is now. Always the first event.
  case snapshot(ListSnapshot<Item>)
  /// A step of the list, of the problems, or of both. `update` is nil if only problems appeared or
  /// disappeared.
  case step(update: ListUpdate<Item>?, problems: [ProblemChange])
}

extension ListUpdate<Item> {
  /// Computes the step between two snapshots of one list. A nil `cause` is that of the origin.
  ///
  /// - Parameters:
  ///   - touched: The rows that may have come, gone, moved or changed; nil if any may have. Pass them if
  ///     they are known: only they cost anything, and only they move.
  ///   - edited: The items that may have other contents; nil if any may.
  package init(
    from old: ListSnapshot<Item>, to new: ListSnapshot<Item>, touched: Set<Item.ID>?,
    edited: Set<Item.ID>? = nil,
    origin: UpdateOrigin,
    cause: UpdateCause? = nil, since: SuspendingClock.Instant? = nil
  ) {
    let edited = old.request.fields == new.request.fields ? edited.map(new.rows) : nil
    let candidates = edited ?? touched ?? Set(new.list.itemIdentifiers)
    let updated = new.updated(candidates, since: old)
    let diff = new.list.difference(
      from: old.list, touched: touched, updated: updated, updatedSections: new.sections(retitledSince: old))
    self.init(
      old: old, new: new, diff: diff, origin: origin, cause: cause ?? .of(origin), since: since)
  }
}

private let comparedAtOnce = 512

extension ListSnapshot {
  /// Returns the items that show other values than in an older list. User code compares models, in turn.
  package func updated(_ candidates: Set<Item.ID>, since old: ListSnapshot) -> Set<Item.ID> {
    if showsObjects || candidates.count <= comparedAtOnce {
      return candidates.filter { shows(of: $0, otherThan: old) }
    }
    let ids = Array(candidates)
    let updated = ParallelWork.map(ids.count, by: comparedAtOnce) { range in
      ids[range].filter { shows(of: $0, otherThan: old) }
    }
    return Set(updated.joined())
  }

  package func sections(retitledSince old: ListSnapshot) -> Set<SectionID> {
    let titles = (old.titles, titles)
    return titles.0 == titles.1 ? [] : Set(list.sectionIdentifiers.filter { titles.0[$0] != titles.1[$0] })
  }
}
