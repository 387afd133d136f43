import DiffableSnapshot

/// The list that a consumer has acknowledged, and the changes since then.
///
/// Everything that a consumer gets is an update from the acknowledged list: all pending changes, or
/// some of them. A change that was reverted in the meantime is not pending.
///
/// Call `add` with each update of the subscription, deliver what `update` or `part` returns, and
/// call `acknowledge` with it afterwards.
///
/// `add` costs O(k log n) for k pending rows. It costs O(n) if the update has another request, or
/// does not follow the newest list, as after a restart. Everything else costs O(k log n).
package struct PendingChanges: Sendable {
  /// The list that the consumer has acknowledged.
  package private(set) var acknowledged: ResultsSnapshot
  private var newest: ResultsSnapshot
  /// The rows that differ between the two lists: exactly those that `update` lists.
  private var rows = PendingRows()
  /// True if the two lists differ.
  private var isPending = false
  /// The update between the two lists, if it was computed already.
  private var known: ResultsUpdate?
  private var sources = UpdateSources()

  /// Creates the changes of a consumer that has a list: none yet.
  package init(after acknowledged: ResultsSnapshot) {
    self.acknowledged = acknowledged
    newest = acknowledged
  }

  /// Adds an update of the subscription. Its new list is the newest one.
  ///
  /// Add each update of one subscription, in order. The first one begins at the acknowledged list,
  /// or at one that shows the same.
  package mutating func add(_ update: ResultsUpdate) {
    let follows = update.follows(newest)
    newest = update.new
    sources.add(update)
    if !isPending, update.old.isSame(as: acknowledged) {
      set(update)
    } else {
      let isKnown = follows && update.old.request == update.new.request
      compare(touched: isKnown ? rows.all.union(update.diff.changes.lazy.map(\.item)) : nil)
    }
  }

  /// True if the consumer has the newest list.
  package var isEmpty: Bool { !isPending }

  /// The update from the acknowledged list to the newest one; nil if they are equal.
  package var update: ResultsUpdate? {
    if !isPending || known != nil { return known }
    return ResultsUpdate(
      from: acknowledged, to: newest, rows: rows, origin: sources.origin, cause: sources.cause, since: sources.since)
  }

  /// Returns an update that makes only the changes of some rows; nil if none of them is pending.
  ///
  /// It lists exactly these rows, with their places in a list that has only these changes. Sections
  /// that move or have another title belong to the last part.
  ///
  /// - Parameter ids: The ids of rows as they occur in the changes of `update`.
  package func part(_ ids: Set<Item.ID>) -> ResultsUpdate? {
    let applied = rows.intersection(ids)
    if applied.count == 0 { return nil }
    if applied.count == rows.count { return update }
    let list = PartialList.list(from: acknowledged, to: newest, pending: rows, applied: applied)
    return ResultsUpdate(
      from: acknowledged, to: list, rows: applied, origin: sources.origin, cause: sources.cause, since: sources.since)
  }

  /// Records that the consumer has an update that `update` or `part` returned. Other updates may
  /// have been added since.
  package mutating func acknowledge(_ update: ResultsUpdate) {
    let isNext = update.old.isSame(as: acknowledged)
    acknowledged = update.new
    if acknowledged.isSame(as: newest) {
      set(nil)
    } else if isNext, acknowledged.isPart(of: newest) {
      rows.subtract(update.diff.changes.lazy.map(\.item))
      known = nil
    } else {
      sources.remove(upTo: acknowledged)
      let isKnown = isNext && acknowledged.request == newest.request
      compare(touched: isKnown ? rows.all.union(update.diff.changes.lazy.map(\.item)) : nil)
    }
  }

  /// Computes the pending changes.
  ///
  /// - Parameter touched: The rows that may differ; nil if any may.
  private mutating func compare(touched: Set<Item.ID>?) {
    set(
      ResultsUpdate(
        from: acknowledged, to: newest, touched: touched, origin: sources.origin, cause: sources.cause, since: sources.since))
  }

  private mutating func set(_ update: ResultsUpdate?) {
    known = update?.diff.isEmpty == false ? update : nil
    isPending = known != nil
    rows = known.map { PendingRows($0.diff) } ?? PendingRows()
    if !isPending { sources = UpdateSources() }
  }
}

extension ResultsUpdate {
  /// Returns true if the update follows a list, or one that showed the same: a subscription leaves
  /// out steps without changes.
  fileprivate func follows(_ list: ResultsSnapshot) -> Bool {
    if old.isSame(as: list) { return true }
    return old.kept == nil && list.kept == nil && list.revision > 0 && old.revision > list.revision
  }
}

/// The origins, causes and times of updates that are pending, in their order.
private struct UpdateSources: Sendable {
  private struct Source: Sendable {
    var revision: Int
    var origin: ResultsUpdate.Origin
    var cause: ResultsUpdate.Cause
    var since: SuspendingClock.Instant?
  }

  private var sources: [Source] = []

  /// The number of sources that are kept apart, so that those of an update can be removed when it
  /// is acknowledged late.
  private static let maxCount = 16

  mutating func add(_ update: ResultsUpdate) {
    let source = Source(revision: update.new.revision, origin: update.origin, cause: update.cause, since: update.since)
    if sources.count == UpdateSources.maxCount, let last = sources.popLast() {
      sources.append(UpdateSources.merged(last, source))
    } else {
      sources.append(source)
    }
  }

  private static func merged(_ a: Source, _ b: Source) -> Source {
    Source(
      revision: b.revision, origin: a.origin.merged(with: b.origin), cause: a.cause.merged(with: b.cause),
      since: [a.since, b.since].compactMap(\.self).min())
  }

  /// Removes the sources of what is in a list. If the list is only a part of a newer one, they
  /// stay.
  mutating func remove(upTo list: ResultsSnapshot) {
    guard list.kept == nil, list.revision > 0 else { return }
    let later = sources.filter { $0.revision > list.revision }
    if !later.isEmpty { sources = later }
  }

  private var merged: Source? { sources.dropFirst().reduce(sources.first) { all, next in all.map { UpdateSources.merged($0, next) } } }

  var origin: ResultsUpdate.Origin { merged?.origin ?? .files }
  var cause: ResultsUpdate.Cause { merged?.cause ?? .changed }
  var since: SuspendingClock.Instant? { merged?.since }
}
