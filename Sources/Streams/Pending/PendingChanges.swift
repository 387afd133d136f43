package import Store

/// The list that a consumer has acknowledged, the changes since then, and what it was offered.
///
/// Everything that a consumer gets is an update from the acknowledged list: all pending changes, or
/// some of them. A change that was reverted in the meantime is not pending; if it was offered
/// before, the update takes it back.
///
/// Call `add` with each update of the subscription, `offer` with what `update`, `part` or `single`
/// returns before you deliver it, and `acknowledge` with it afterwards.
///
/// `add` costs O(k log n) for k pending rows. It costs O(n) if the update has another request, or
/// does not follow the newest list, as after a restart. Everything else costs O(k log n), where k
/// includes the offered rows.
package struct PendingChanges {
  package private(set) var acknowledged: ListSnapshot<Item>
  /// The rows that the consumer was offered since then.
  package private(set) var offer: Offer
  private var newest: ListSnapshot<Item>
  /// The rows that differ between the two lists: exactly those that `update` lists.
  private var changed = PendingRows()
  package private(set) var hasChanges = false
  /// The update between the two lists, if it was computed already.
  private var known: ListUpdate<Item>?
  private var sources = UpdateSources()
  /// The times at which changes were first noticed, of rows that were not offered since.
  private var noticed: [Item.ID: SuspendingClock.Instant] = [:]

  /// `offer` is what an earlier run has offered and the consumer has not acknowledged.
  package init(after acknowledged: ListSnapshot<Item>, offering offer: Offer = Offer()) {
    self.acknowledged = acknowledged
    self.offer = offer
    newest = acknowledged
    if !offer.isEmpty { sources.resume() }
  }

  /// Adds an update of the subscription. Its new list is the newest one.
  ///
  /// Add each update of one subscription, in order. The first one begins at the acknowledged list,
  /// or at an equal one.
  package mutating func add(_ update: ListUpdate<Item>) {
    let follows = update.follows(newest)
    newest = update.new
    sources.add(update)
    if let time = update.since {
      for change in update.diff.changes where noticed[change.item] == nil { noticed[change.item] = time }
    }
    if !hasChanges, update.old.isSame(as: acknowledged) {
      set(update)
    } else {
      let isKnown = follows && update.old.request == update.new.request
      compare(touched: isKnown ? changed.all.union(update.diff.changes.lazy.map(\.item)) : nil)
    }
  }

  /// True if the consumer has the newest list, and nothing that it has to take back.
  package var isEmpty: Bool { !hasChanges && offer.isEmpty }

  package func hasChanges(of rows: Set<Item.ID>) -> Bool { changed.intersection(rows).count > 0 }

  /// The update from the acknowledged list to the newest one, with all that it takes back; nil for none.
  package var update: ListUpdate<Item>? {
    if isEmpty { return nil }
    let update = changes
    return completed(update, takingBack: offer.takenBack(besides: update, from: acknowledged, to: newest))
  }

  /// Returns an update that makes only the changes of some rows, and takes back only these; nil if
  /// nothing of them is pending.
  ///
  /// It lists exactly these rows, with their places in a list that has only these changes. Sections
  /// that move or have another title belong to the last part. A row that has to be set again after
  /// another row's delete is left out unless that row is given, too.
  package func part(_ ids: Set<Item.ID>) -> ListUpdate<Item>? {
    let applied = changed.intersection(ids)
    if applied.count == 0, offer.isEmpty { return nil }
    let part =
      if applied.count == 0 {
        unchanged
      } else if applied.count == changed.count {
        changes
      } else {
        difference(
          to: PartialList.list(from: acknowledged, to: newest, pending: changed, applied: applied), applied)
      }
    let takenBack = offer.takenBack(ids, besides: part, from: acknowledged, to: newest).filter {
      $0.causes.isSubset(of: ids)
    }
    return applied.count == 0 && takenBack.isEmpty ? nil : completed(part, takingBack: takenBack)
  }

  /// Returns an update with one thing to do for a row: its change, or an entry to take back; nil for none.
  package func single(_ id: Item.ID) -> ListUpdate<Item>? {
    guard var part = part([id]) else { return nil }
    guard let first = part.takenBack.first else { return part }
    // After a move alone, the content would still have to be set.
    if part.diff.changes.first?.hasContent == true {
      part.takenBack = []
      return part
    }
    return completed(unchanged, takingBack: [first])
  }

  /// Records that the consumer is about to get an update that `update`, `part` or `single` returned.
  package mutating func offer(_ update: ListUpdate<Item>) {
    offer.formUnion(Offer(of: update))
    for row in update.rows { noticed[row] = nil }
  }

  /// Records that the consumer has what `update`, `part` or `single` returned, perhaps some updates ago.
  package mutating func acknowledge(_ update: ListUpdate<Item>) {
    offer.cover(Offer(of: update), in: update.new)
    for row in update.rows { noticed[row] = nil }
    if update.diff.isEmpty { return forgetSources() }
    let isNext = update.old.isSame(as: acknowledged)
    acknowledged = update.new
    if acknowledged.isSame(as: newest) {
      set(nil)
    } else if isNext, acknowledged.isPart(of: newest) {
      changed.subtract(update.diff.changes.lazy.map(\.item))
      known = nil
    } else {
      sources.remove(upTo: acknowledged)
      let isKnown = isNext && acknowledged.request == newest.request
      compare(touched: isKnown ? changed.all.union(update.diff.changes.lazy.map(\.item)) : nil)
    }
  }

  private var changes: ListUpdate<Item> { hasChanges ? known ?? difference(to: newest, changed) : unchanged }

  private var unchanged: ListUpdate<Item> { difference(to: acknowledged, PendingRows()) }

  private func difference(to list: ListSnapshot<Item>, _ rows: PendingRows) -> ListUpdate<Item> {
    ListUpdate<Item>(
      from: acknowledged, to: list, rows: rows, origin: sources.origin, cause: sources.cause, since: nil)
  }

  private func completed(_ update: ListUpdate<Item>, takingBack entries: [TakenBack]) -> ListUpdate<Item> {
    var update = update
    update.takenBack = entries
    update.since = noticed.isEmpty ? nil : update.rows.compactMap { noticed[$0] }.min()
    return update
  }

  /// Computes the pending changes. Without `touched`, any row may differ.
  private mutating func compare(touched: Set<Item.ID>?) {
    set(
      ListUpdate<Item>(
        from: acknowledged, to: newest, touched: touched, origin: sources.origin, cause: sources.cause))
  }

  private mutating func set(_ update: ListUpdate<Item>?) {
    known = update?.diff.isEmpty == false ? update : nil
    hasChanges = known != nil
    changed = known.map { PendingRows($0.diff) } ?? PendingRows()
    if !noticed.isEmpty { noticed = noticed.filter { changed.contains($0.key) || offer.contains($0.key) } }
    forgetSources()
  }

  private mutating func forgetSources() {
    if isEmpty { sources = UpdateSources() }
  }
}

extension ListUpdate<Item> {
  /// True if the update follows a list, or one that showed the same: empty steps are never given.
  fileprivate func follows(_ list: ListSnapshot<Item>) -> Bool {
    if old.isSame(as: list) { return true }
    return old.kept == nil && list.kept == nil && list.revision > 0 && old.revision > list.revision
  }
}

/// The origins and causes of updates that are pending, in their order.
private struct UpdateSources {
  private struct Source {
    var revision: Int
    var origin: UpdateOrigin
    var cause: UpdateCause
  }

  private var sources: [Source] = []

  /// Sources are kept apart, so that those of an update can be removed when it is acknowledged late.
  private static let maxCount = 16

  mutating func resume() { sources.append(Source(revision: 0, origin: .files, cause: .resumed)) }

  mutating func add(_ update: ListUpdate<Item>) {
    let source = Source(revision: update.new.revision, origin: update.origin, cause: update.cause)
    if sources.count == UpdateSources.maxCount, let last = sources.popLast() {
      sources.append(UpdateSources.merged(last, source))
    } else {
      sources.append(source)
    }
  }

  private static func merged(_ a: Source, _ b: Source) -> Source {
    Source(
      revision: b.revision, origin: a.origin.merged(with: b.origin), cause: a.cause.merged(with: b.cause))
  }

  /// Removes the sources of what is in a list. If the list is only a part of a newer one, they stay.
  mutating func remove(upTo list: ListSnapshot<Item>) {
    guard list.kept == nil, list.revision > 0 else { return }
    let later = sources.filter { $0.revision > list.revision }
    if !later.isEmpty { sources = later }
  }

  private var merged: Source? {
    sources.dropFirst().reduce(sources.first) { all, next in all.map { UpdateSources.merged($0, next) } }
  }

  var origin: UpdateOrigin { merged?.origin ?? .files }
  var cause: UpdateCause { merged?.cause ?? .changed }
}
