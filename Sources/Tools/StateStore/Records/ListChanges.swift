import Store

/// The records of the newest list to compare, place or remove in order to make it another list.
struct ListChanges {
  let list: ListSnapshot<Item>
  private(set) var removed: [[UInt8]] = []
  /// The numbers of the sections that are new or have another order, ascending.
  private(set) var placedSections: [Int] = []
  /// The sections that may have another title.
  private(set) var titled: [SectionID] = []
  /// The indices, in their section, of the rows that are new or have another order, ascending.
  private(set) var placedRows: [SectionID: [Int]] = [:]
  /// The rows that stay and may have another path or value.
  private(set) var edited: [Item.ID] = []

  /// Uses the changes of an update. The newest list must be the old one of the update.
  init(_ update: ListUpdate<Item>) {
    self.init(update.diff, to: update.new)
    for case .update(let id, _, _) in update.diff.changes { edited.append(id) }
    for case .update(let section, _, _) in update.diff.sections { titled.append(section) }
  }

  /// Compares two lists, which may differ in the touched rows; nil for any.
  init(from old: ListSnapshot<Item>, to new: ListSnapshot<Item>, touched: Set<Item.ID>?) {
    self.init(
      new.list.difference(from: old.list, touched: touched, updated: [], updatedSections: []), to: new)
    let ids = touched ?? Set(new.list.itemIdentifiers)
    edited = ids.filter { new.list.contains($0) && old.list.contains($0) }
    titled = new.list.sectionIdentifiers.filter {
      old.list.containsSection($0) && old.title(of: $0) != new.title(of: $0)
    }
  }

  private init(_ diff: SnapshotDiff<SectionID, Item.ID>, to new: ListSnapshot<Item>) {
    list = new
    for change in diff.changes {
      switch change {
      case .delete(let id, _): removed.append(Record.key(of: id))
      case .insert(_, let to), .move(_, _, let to, _): placedRows[to.section, default: []].append(to.index)
      case .update: break
      }
    }
    for section in placedRows.keys { placedRows[section]?.sort() }
    for change in diff.sections {
      switch change {
      case .delete(let id, _): removed.append(Record.key(of: id))
      case .insert(_, let to), .move(_, _, let to): placedSections.append(to)
      case .update: break
      }
    }
    placedSections.sort()
  }
}
