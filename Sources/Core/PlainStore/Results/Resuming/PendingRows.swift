import DiffableSnapshot
import Query

/// The rows that differ between two lists, and the sections that move.
struct PendingRows: Sendable {
  /// The rows that are inserted, deleted or moved.
  private(set) var placed: Set<Item.ID> = []
  /// The rows that keep their place and have another content.
  private(set) var edited: Set<Item.ID> = []
  /// The sections that move.
  private(set) var movedSections: Set<SectionID> = []

  init() {}

  init(_ diff: SnapshotDiff<SectionID, Item.ID>) {
    for change in diff.changes {
      if case .update = change { edited.insert(change.item) } else { placed.insert(change.item) }
    }
    for case .move(let section, _, _) in diff.sections { movedSections.insert(section) }
  }

  private init(placed: Set<Item.ID>, edited: Set<Item.ID>) {
    self.placed = placed
    self.edited = edited
  }

  var all: Set<Item.ID> { placed.union(edited) }
  var count: Int { placed.count + edited.count }

  func contains(_ id: Item.ID) -> Bool { placed.contains(id) || edited.contains(id) }

  /// Returns the rows that are also in `ids`.
  func intersection(_ ids: Set<Item.ID>) -> PendingRows {
    PendingRows(placed: placed.intersection(ids), edited: edited.intersection(ids))
  }

  mutating func subtract(_ ids: some Sequence<Item.ID>) {
    placed.subtract(ids)
    edited.subtract(ids)
  }
}
