import HashTreeCollections
package import Store

/// The rows that a consumer was offered and has not acknowledged, each with the paths under which
/// it was offered.
///
/// The consumer may have used any part of what it was offered. So a row stays in the offer until
/// the consumer has it as it is in the list that it acknowledges. Pure.
package struct Offer: Equatable {
  /// The paths of each row: its old and its new one.
  private var paths: TreeDictionary<Item.ID, Set<RelativePath>> = [:]
  private var rowsByPath: TreeDictionary<RelativePath, Set<Item.ID>> = [:]

  package init() {}

  /// Creates the offer of one update: the rows of its changes, and those that it takes back.
  package init(of update: ListUpdate<Item>) {
    for change in update.diff.changes {
      for list in [update.old, update.new] {
        if let path = list.shownPath(of: change.item) { insert(change.item, at: path) }
      }
    }
    for entry in update.takenBack { insert(entry.id, at: entry.path) }
  }

  package var isEmpty: Bool { paths.isEmpty }

  package var rows: some Sequence<Item.ID> { paths.keys }

  package func contains(_ row: Item.ID) -> Bool { paths[row] != nil }

  package func paths(of row: Item.ID) -> Set<RelativePath> { paths[row] ?? [] }

  package mutating func insert(_ row: Item.ID, at path: RelativePath) {
    paths[row, default: []].insert(path)
    rowsByPath[path, default: []].insert(row)
  }

  private mutating func remove(_ row: Item.ID, at path: RelativePath) {
    paths[row]?.remove(path)
    if paths[row]?.isEmpty == true { paths[row] = nil }
    rowsByPath[path]?.remove(row)
    if rowsByPath[path]?.isEmpty == true { rowsByPath[path] = nil }
  }

  package mutating func formUnion(_ other: Offer) {
    for (row, paths) in other.paths { for path in paths { insert(row, at: path) } }
  }

  /// Removes what the consumer has after it acknowledged some rows.
  ///
  /// A file that another item had is still to be deleted as that item's. A consumer that uses paths
  /// then deletes what it has of the acknowledged item, so this item stays in the offer. The same
  /// holds for an id that is still to be deleted at another path.
  package mutating func cover(_ rows: Offer, in list: ListSnapshot<Item>) {
    for (row, paths) in rows.paths { for path in paths { remove(row, at: path) } }
    if isEmpty { return }
    for row in rows.paths.keys {
      guard let path = list.shownPath(of: row), !strays(affecting: row, at: path, in: [list]).isEmpty else {
        continue
      }
      insert(row, at: path)
    }
  }

  /// Returns what a consumer has to take back of some rows (nil for all), besides the changes of an update.
  ///
  /// The deletes come first. They name ids and files that neither list has. A row that a delete names by
  /// its id or its path, but that is in the list, follows as an update.
  func takenBack(
    _ rows: Set<Item.ID>? = nil, besides update: ListUpdate<Item>, from old: ListSnapshot<Item>,
    to new: ListSnapshot<Item>
  ) -> [TakenBack] {
    if isEmpty { return [] }
    // A row that only moves keeps the content that the consumer has acknowledged.
    let changed = Set(update.diff.changes.lazy.filter(\.hasContent).map(\.item))
    var deletes: [TakenBack] = []
    var updates: [TakenBack] = []
    for row in rows ?? changed.union(paths.keys) {
      deletes += strayPaths(of: row, in: [old, new]).map { TakenBack(row, at: $0, isDeleted: true) }
      guard let path = new.shownPath(of: row) else { continue }
      let causes = strays(affecting: row, at: path, in: [old, new])
      let isAsBefore = contains(row) && !changed.contains(row)
      if isAsBefore || !causes.isEmpty {
        updates.append(TakenBack(row, at: path, isDeleted: false, after: causes))
      }
    }
    return deletes.sorted(by: Offer.isBefore) + updates.sorted(by: Offer.isBefore)
  }

  /// Returns the paths under which a row was offered and that it has in none of some lists.
  private func strayPaths(of row: Item.ID, in lists: [ListSnapshot<Item>]) -> Set<RelativePath> {
    guard let paths = paths[row] else { return [] }
    return paths.subtracting(lists.compactMap { $0.shownPath(of: row) })
  }

  /// Returns the rows whose deletion can remove what a consumer has of a row. The rows of one item
  /// share their path, so they do not affect each other. In a list that has only a part of the
  /// changes, a row that is to be deleted can still have the path of another one.
  private func strays(affecting row: Item.ID, at path: RelativePath, in lists: [ListSnapshot<Item>]) -> Set<
    Item.ID
  > {
    var found = (rowsByPath[path] ?? []).filter { other in
      other.item != row.item
        && !lists.contains { $0.shownPath(of: other) == path && $0.shownPath(of: row) != path }
    }
    if !strayPaths(of: row, in: lists).isEmpty { found.insert(row) }
    return found
  }

  private static func isBefore(_ a: TakenBack, _ b: TakenBack) -> Bool {
    (a.id.stored, a.path) < (b.id.stored, b.path)
  }
}

extension SnapshotDiff.ItemChange {
  var hasContent: Bool {
    if case .move(_, _, _, isUpdated: false) = self { false } else { true }
  }
}

extension ListSnapshot {
  fileprivate func shownPath(of row: Item.ID) -> RelativePath? {
    list.contains(row) ? content(of: row)?.item.path : nil
  }
}

extension ListUpdate<Item> {
  package var rows: [Item.ID] {
    let changed = diff.changes.map(\.item)
    if takenBack.isEmpty { return changed }
    var seen = Set(changed)
    return changed + takenBack.map(\.id).filter { seen.insert($0).inserted }
  }
}
