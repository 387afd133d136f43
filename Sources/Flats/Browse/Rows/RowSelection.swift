import Store

/// The rows that were selected for an action, in the order of selecting. A row stays selected while
/// a search hides it.
struct RowSelection: Sendable {
  private var items: [Item.ID: Item] = [:]
  /// The rows, in the order of selecting.
  private(set) var ids: [Item.ID] = []

  /// True if no row is selected.
  var isEmpty: Bool { ids.isEmpty }
  /// The number of selected rows.
  var count: Int { ids.count }

  /// Returns true if a row is selected.
  func contains(_ id: Item.ID) -> Bool { items[id] != nil }

  /// Returns the item of a selected row as it was when the row was selected.
  subscript(id: Item.ID) -> Item? { items[id] }

  /// Selects a row, or removes it from the selection.
  mutating func toggle(_ id: Item.ID, _ item: Item) {
    if items.removeValue(forKey: id) == nil {
      items[id] = item
      ids.append(id)
    } else {
      ids.removeAll { $0 == id }
    }
  }

  /// Removes the rows whose items are gone from the folder.
  mutating func follow(_ update: ResultsUpdate) {
    guard !isEmpty else { return }
    let known = items.count
    for change in update.itemChanges {
      guard case .delete(let id, _) = change, items[id] != nil, update.reason(forDeleting: id) == .removed
      else { continue }
      items[id] = nil
    }
    // One pass: 10,000 selected rows may go at once.
    if items.count < known { ids.removeAll { items[$0] == nil } }
  }

  /// Removes the rows of items.
  mutating func remove(_ items: Set<Item.ID>) {
    ids.removeAll { items.contains($0.item) }
    self.items = self.items.filter { !items.contains($0.key.item) }
  }

  /// Removes all rows.
  mutating func clear() {
    (items, ids) = ([:], [])
  }
}
