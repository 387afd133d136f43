import DiffableSnapshot
package import DirectoryWatch

/// The rows that a consumer was offered and has not acknowledged, each with the paths under which
/// it was offered.
///
/// The consumer may have used any part of what it was offered. So a row stays in the offer until
/// the consumer has it as it is in the list that it acknowledges. Pure.
package struct Offer: Sendable, Equatable {
  /// The paths of each row: its old and its new one.
  package private(set) var paths: [Item.ID: Set<RelativePath>] = [:]

  /// Creates an empty offer.
  package init() {}

  /// Creates the offer of one update: the rows of its changes, and those that it takes back.
  package init(of update: ResultsUpdate) {
    for change in update.diff.changes {
      for list in [update.old, update.new] {
        if let path = list.shownPath(of: change.item) { insert(change.item, at: path) }
      }
    }
    for entry in update.takenBack { insert(entry.id, at: entry.path) }
  }

  package var isEmpty: Bool { paths.isEmpty }

  package func contains(_ row: Item.ID) -> Bool { paths[row] != nil }

  /// Adds a row at a path.
  package mutating func insert(_ row: Item.ID, at path: RelativePath) { paths[row, default: []].insert(path) }

  /// Adds the rows of another offer.
  package mutating func formUnion(_ other: Offer) {
    paths.merge(other.paths) { $0.union($1) }
  }

  /// Removes what the consumer has after it acknowledged some rows.
  ///
  /// A file that another item had is still to be deleted as that item's. A consumer that goes by
  /// paths then deletes what it has of the acknowledged item, so this item stays in the offer. The
  /// same holds for an id that is still to be deleted at another path.
  ///
  /// - Parameters:
  ///   - rows: The rows that it acknowledged.
  ///   - list: The list that it has.
  package mutating func cover(_ rows: Offer, in list: ResultsSnapshot) {
    for (row, covered) in rows.paths {
      guard let rest = paths[row]?.subtracting(covered) else { continue }
      paths[row] = rest.isEmpty ? nil : rest
    }
    if isEmpty { return }
    let strays = Strays(paths, of: [list])
    for row in rows.paths.keys {
      guard let path = list.shownPath(of: row), strays.affect(row, at: path) else { continue }
      insert(row, at: path)
    }
  }

  /// Returns what a consumer has to take back of the offer, besides the changes of an update.
  ///
  /// The deletes come first. They name ids and files that neither list has. A row that a delete
  /// names by its id or its path, but that is in the list, follows as an update.
  ///
  /// - Parameter update: Everything that differs between the list that the consumer has and the
  ///   newest one.
  package func takenBack(in update: ResultsUpdate) -> [TakenBack] {
    if isEmpty { return [] }
    // A row that only moves keeps the content that the consumer has acknowledged.
    let changed = Set(update.diff.changes.lazy.filter(\.hasContent).map(\.item))
    let strays = Strays(paths, of: [update.old, update.new])
    var entries = strays.deletes
    for row in changed.union(paths.keys).sorted(by: { $0.stored < $1.stored }) {
      guard let path = update.new.shownPath(of: row) else { continue }
      let causes = strays.rows(at: path, or: row)
      if !causes.isEmpty || !changed.contains(row) { entries.append(TakenBack(row, at: path, isDeleted: false, after: causes)) }
    }
    return entries
  }
}

/// The rows of an offer that are in no list at the path at which they were offered.
private struct Strays {
  private(set) var deletes: [TakenBack] = []
  private var byPath: [RelativePath: Set<Item.ID>] = [:]
  private var rows: Set<Item.ID> = []

  init(_ paths: [Item.ID: Set<RelativePath>], of lists: [ResultsSnapshot]) {
    for (row, paths) in paths {
      let shown = lists.map { $0.shownPath(of: row) }
      for path in paths where !shown.contains(path) { deletes.append(TakenBack(row, at: path, isDeleted: true)) }
    }
    deletes.sort { ($0.id.stored, $0.path) < ($1.id.stored, $1.path) }
    for delete in deletes {
      byPath[delete.path, default: []].insert(delete.id)
      rows.insert(delete.id)
    }
  }

  /// Returns the strays whose deletion can remove what a consumer has of a row. The rows of one item
  /// share their path, so they are no strays of each other.
  func rows(at path: RelativePath, or row: Item.ID) -> Set<Item.ID> {
    var found = (byPath[path] ?? []).filter { $0.item != row.item }
    if rows.contains(row) { found.insert(row) }
    return found
  }

  func affect(_ row: Item.ID, at path: RelativePath) -> Bool { !rows(at: path, or: row).isEmpty }
}

/// A row that a consumer was offered and that is again as in the list that it has acknowledged.
package struct TakenBack: Sendable, Hashable {
  /// The row.
  package let id: Item.ID
  /// The path of its file; for a delete the one at which it was offered.
  package let path: RelativePath
  /// True if the list does not have the row at this path. Otherwise the row is to be set to its
  /// complete value.
  package let isDeleted: Bool
  /// The rows whose deletes have to come before.
  let causes: Set<Item.ID>

  init(_ id: Item.ID, at path: RelativePath, isDeleted: Bool, after causes: Set<Item.ID> = []) {
    (self.id, self.path, self.isDeleted, self.causes) = (id, path, isDeleted, causes)
  }
}

extension SnapshotDiff.ItemChange {
  /// True if the change has the content of the item, or deletes it.
  var hasContent: Bool {
    if case .move(_, _, _, isUpdated: false) = self { false } else { true }
  }
}

extension ResultsSnapshot {
  /// Returns the path of a row; nil if the list does not show it.
  fileprivate func shownPath(of row: Item.ID) -> RelativePath? { list.contains(row) ? content(of: row)?.item.path : nil }
}

extension ResultsUpdate {
  /// The rows that change or are taken back, each once.
  package var rows: [Item.ID] {
    let changed = diff.changes.map(\.item)
    if takenBack.isEmpty { return changed }
    var seen = Set(changed)
    return changed + takenBack.map(\.id).filter { seen.insert($0).inserted }
  }
}
