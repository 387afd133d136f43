import Store

/// The rows that changed last, for `n` and `N`: the newest update first, and the rows of one update
/// in the order of the list.
struct RecentRows: Sendable {
  /// The maximum number of rows.
  static let maxCount = 500

  /// The rows, the newest first.
  private(set) var ids: [Item.ID] = []
  /// The number of the row that the cursor was moved to last; -1 if it was none of them.
  private(set) var current = -1

  /// Adds the rows of an update before the others.
  mutating func add(_ new: [Item.ID]) {
    guard !new.isEmpty else { return }
    let added = Set(new)
    ids = Array((new + ids.filter { !added.contains($0) }).prefix(RecentRows.maxCount))
    current = -1
  }

  /// Returns the next row to go to, and its number; nil if no row of `list` changed.
  ///
  /// - Parameters:
  ///   - step: 1 for an older change, -1 for a newer one.
  ///   - list: The list as it was painted.
  func target(_ step: Int, in list: ResultsSnapshot) -> (id: Item.ID, number: Int)? {
    guard !ids.isEmpty else { return nil }
    var number = current < 0 && step < 0 ? 0 : current
    for _ in ids {
      number = (number + step + ids.count) % ids.count
      if list.list.contains(ids[number]) { return (ids[number], number) }
    }
    return nil
  }

  /// Records that the cursor is on a row. Does nothing if the rows have changed meanwhile.
  mutating func visit(_ number: Int, _ id: Item.ID) {
    if ids.indices.contains(number), ids[number] == id { current = number }
  }
}
