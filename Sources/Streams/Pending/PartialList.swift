import HashTreeCollections
import Store

/// Makes a partial list: the old list with some of the changes that lead to the new one.
///
/// The rows that are neither inserted, deleted nor moved have the same order in both lists. In each
/// section, a row whose change is left out keeps its old place among them, and a row whose change
/// is applied gets its new place. So the update from the old list and the update to the new one
/// each list only their own rows. A section is inserted with its first row and deleted with its
/// last one; other changes of sections are left out.
///
/// O(k log n) for k pending rows. If the old list is a partial one on the way to the new list, it
/// is O(a log n) for a applied rows.
struct PartialList {
  private let old: ListSnapshot<Item>
  private let new: ListSnapshot<Item>
  private let pending: PendingRows
  private let applied: PendingRows
  private var list: Snapshot<SectionID, Item.ID>

  /// Returns `old` after the changes of `applied`, which are some of those to the rows of `pending`.
  static func list(
    from old: ListSnapshot<Item>, to new: ListSnapshot<Item>, pending: PendingRows, applied: PendingRows
  ) -> ListSnapshot<Item> {
    var part = PartialList(
      old: old, new: new, pending: pending, applied: applied, list: old.list.withoutHidden())
    let left = part.removeRows()
    part.insertRows()
    part.removeSections(left)
    return part.result
  }

  // The edits below cannot fail, because their conditions are checked first.

  /// Removes the rows that are deleted or moved. Returns the sections in which they were.
  private mutating func removeRows() -> Set<SectionID> {
    var sections: Set<SectionID> = []
    for id in applied.placed {
      guard let section = list.sectionIdentifier(containingItem: id) else { continue }
      try? list.deleteItems([id])
      sections.insert(section)
    }
    return sections
  }

  private mutating func insertRows() {
    let arrivals = applied.placed.compactMap { id in new.list.indexOfItem(id).map { (index: $0, id: id) } }
    for (_, id) in arrivals.sorted(by: { $0.index < $1.index }) {
      guard let place = new.list.place(of: id) else { continue }
      if !list.containsSection(place.section) { insertSection(place.section) }
      if let previous = settledRow(before: place) {
        try? list.insertItems([id], afterItem: previous)
      } else {
        try? list.insertItem(id, inSection: place.section, at: 0)
      }
    }
  }

  /// Returns the nearest row before a place of the new list that has its new place already.
  private func settledRow(before place: Place<SectionID>) -> Item.ID? {
    for index in stride(from: place.index - 1, through: 0, by: -1) {
      guard let id = new.list.item(at: Place(section: place.section, index: index)) else { continue }
      if !pending.placed.contains(id) || applied.placed.contains(id) { return id }
    }
    return nil
  }

  /// Inserts a section after the nearest one before it in the new list that does not move.
  private mutating func insertSection(_ section: SectionID) {
    let rank = new.list.indexOfSection(section) ?? 0
    for rank in stride(from: rank - 1, through: 0, by: -1) {
      guard let previous = new.list.sectionIdentifier(at: rank) else { continue }
      guard list.containsSection(previous), !pending.movedSections.contains(previous) else { continue }
      try? list.insertSections([section], afterSection: previous)
      return
    }
    try? list.insertSection(section, at: 0)
  }

  private mutating func removeSections(_ sections: Set<SectionID>) {
    for section in sections
    where list.numberOfItems(inSection: section) == 0 && !new.list.containsSection(section) {
      try? list.deleteSections([section])
    }
  }

  private var result: ListSnapshot<Item> {
    var result = new
    result.list = list
    result.kept = KeptRows(rows: keptRows, titles: titles)
    return result
  }

  private var keptRows: TreeDictionary<Item.ID, Item> {
    var rows: TreeDictionary<Item.ID, Item> = [:]
    if let kept = old.kept, old.isPart(of: new) {
      rows = kept.rows
      for id in applied.placed { rows[id] = nil }
      for id in applied.edited { rows[id] = nil }
      return rows
    }
    for id in pending.placed where !applied.placed.contains(id) && old.list.contains(id) {
      rows[id] = old.content(of: id)?.projected
    }
    for id in pending.edited where !applied.edited.contains(id) { rows[id] = old.content(of: id)?.projected }
    return rows
  }

  /// The old titles of the old list's sections, and the new titles of the others; nil if there is no
  /// difference.
  private var titles: [SectionID: String]? {
    let before = old.titles
    let after = new.titles
    if before == after { return new.kept?.titles }
    var titles: [SectionID: String] = [:]
    for section in list.sectionIdentifiers {
      titles[section] = (old.list.containsSection(section) ? before : after)[section]
    }
    return titles
  }
}

/// The rows that differ between two lists, and the sections that move.
struct PendingRows {
  /// The rows that are inserted, deleted or moved.
  private(set) var placed: Set<Item.ID> = []
  /// The rows that keep their place and have another content.
  private(set) var edited: Set<Item.ID> = []
  private(set) var movedSections: Set<SectionID> = []

  var all: Set<Item.ID> { placed.union(edited) }
  var count: Int { placed.count + edited.count }

  func contains(_ id: Item.ID) -> Bool { placed.contains(id) || edited.contains(id) }

  func intersection(_ ids: Set<Item.ID>) -> PendingRows {
    PendingRows(placed: placed.intersection(ids), edited: edited.intersection(ids))
  }

  mutating func subtract(_ ids: some Sequence<Item.ID>) {
    placed.subtract(ids)
    edited.subtract(ids)
  }
}

extension PendingRows {
  init(_ diff: SnapshotDiff<SectionID, Item.ID>) {
    self.init()
    for change in diff.changes {
      if case .update = change { edited.insert(change.item) } else { placed.insert(change.item) }
    }
    for case .move(let section, _, _) in diff.sections { movedSections.insert(section) }
  }
}

extension ListUpdate<Item> {
  /// Computes the step between two snapshots that differ in exactly these rows: all of them are listed.
  init(
    from old: ListSnapshot<Item>, to new: ListSnapshot<Item>, rows: PendingRows, origin: UpdateOrigin,
    cause: UpdateCause,
    since: SuspendingClock.Instant?
  ) {
    let updated = new.updated(rows.all, since: old)
    let diff = new.list.difference(
      from: old.list, placed: rows.placed, updated: updated, updatedSections: new.sections(retitledSince: old)
    )
    self.init(old: old, new: new, diff: diff, origin: origin, cause: cause, since: since)
  }
}
