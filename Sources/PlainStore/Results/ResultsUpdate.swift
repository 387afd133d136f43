public import DiffableSnapshot
import DirectoryWatch
import HashTreeCollections
import PlainText

/// One consistent step of a list, from a snapshot to the next. `NSFetchedResultsController`'s will-change, did-change and did-change-content in one value.
public struct ResultsUpdate: Sendable {
  public let old: ResultsSnapshot
  public let new: ResultsSnapshot
  public let diff: SnapshotDiff<SectionID, Item.ID>
  public let origin: Origin
  /// When the first of its changes was noticed; nil where no event told of them, as of a change of the view.
  public let since: SuspendingClock.Instant?

  /// Where a change came from.
  public enum Origin: String, Sendable, Hashable {
    /// Files were written; also where origins are mixed.
    case files
    /// A git command ran.
    case git
    /// The search, the order or the settings changed.
    case view
    /// The day changed, and the request asks for `@today`.
    case clock

    package func merged(with other: Origin) -> Origin { self == other ? self : .files }
  }

  /// Why an item is in the list no more.
  public enum DeleteReason: String, Sendable, Hashable {
    /// No item has that id any more.
    case removed
    /// It is outside of the view: of its predicate, its search or its window.
    case filtered
  }

  public func reason(forDeleting id: Item.ID) -> DeleteReason { new.items[id] == nil ? .removed : .filtered }

  /// What changed of an item that stands in both snapshots, among the fields that the new one shows.
  public func fieldChanges(of id: Item.ID) -> FieldChanges? {
    guard let before = old.items[id], let after = new.items[id] else { return nil }
    return ResultsUpdate.changes(from: before, in: old, to: after, in: new)
  }

  package static func changes(from before: Item, in old: ResultsSnapshot, to after: Item, in new: ResultsSnapshot) -> FieldChanges {
    if old.request.fields == new.request.fields { return before.changes(to: after, showing: new.request.fields) }
    var was = before.projected(old.request.fields)
    var now = after.projected(new.request.fields)
    if before.path != after.path {
      was[PseudoField.path.rawValue] = PseudoField.path.value(of: before)
      now[PseudoField.path.rawValue] = PseudoField.path.value(of: after)
    }
    return FieldChanges(from: was, to: now)
  }
}

extension ResultsSnapshot {
  /// Whether it shows something else of an item that both know. O(log n) and the fields of the item. Of a list of models, equal ones show the same.
  func shows(of id: Item.ID, otherThan old: ResultsSnapshot) -> Bool {
    if let models { return old.models?[id] != models[id] }
    guard let before = old.items[id], let after = items[id], before !== after || old.request.fields != request.fields else { return false }
    return !ResultsUpdate.changes(from: before, in: old, to: after, in: self).isEmpty
  }
}

/// What a subscriber of `FetchedResults` is handed.
public enum ResultsEvent: Sendable {
  /// The list as it is now: always first.
  case snapshot(ResultsSnapshot)
  /// A step of the list, of the problems, or of both; never neither. `update` is nil where only problems came or went.
  case step(update: ResultsUpdate?, problems: [ProblemChange])
}

extension ResultsUpdate {
  /// The step between any two snapshots of one results.
  ///
  /// - Parameters:
  ///   - touched: the ids that may have come, gone, moved or changed; nil where any may have. With it the cost is that of the touched items alone, and only they move.
  ///   - edited: the ids among them whose items may be others; nil where any may be.
  package init(
    from old: ResultsSnapshot, to new: ResultsSnapshot, touched: Set<Item.ID>?, edited: Set<Item.ID>? = nil, origin: Origin,
    since: SuspendingClock.Instant? = nil
  ) {
    let candidates = (old.request.fields == new.request.fields ? edited : nil) ?? touched ?? Set(new.list.itemIdentifiers)
    let updated = candidates.filter { new.shows(of: $0, otherThan: old) }
    let titles = (old.request.section?.titles ?? [:], new.request.section?.titles ?? [:])
    let retitled = titles.0 == titles.1 ? [] : new.list.sectionIdentifiers.filter { titles.0[$0] != titles.1[$0] }
    self.old = old
    self.new = new
    self.origin = origin
    self.since = since
    diff = new.list.difference(from: old.list, touched: touched, updated: updated, updatedSections: Set(retitled))
  }
}
