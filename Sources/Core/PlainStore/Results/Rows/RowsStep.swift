import DiffableSnapshot
import Query

/// The step of a store as all lists with the same rows see it: for each changed item, its rows
/// before and after.
struct RowsStep: Sendable {
  /// A row with its number in `ArrangedRows.rows`.
  struct Row: Sendable {
    /// The id of the row.
    let id: Item.ID
    /// The number of the row, which it keeps.
    let number: Int
  }

  /// An item that was added, removed or read again.
  struct Entry: Sendable {
    /// The item as it is now; nil if it is gone.
    let item: Item?
    /// The rows before the step.
    let old: [Row]
    /// The rows after the step.
    var new: [Row]
    /// True if the rows were added, removed or moved; false if they stay where they are.
    let isPlaced: Bool
  }

  /// The number of the arrangement before the step.
  let from: Int
  /// The rows after the step.
  let rows: ArrangedRows
  /// The changed items.
  let entries: [Entry]
  /// All rows of the items before and after the step.
  let touched: Set<Item.ID>
  /// The rows of `touched` that were added, removed or moved.
  let placed: Set<Item.ID>

  /// - Parameters:
  ///   - from: The number of the arrangement before the step.
  ///   - rows: The rows after the step.
  ///   - entries: The changed items.
  init(from: Int, to rows: ArrangedRows, _ entries: [Entry]) {
    self.from = from
    self.rows = rows
    self.entries = entries
    var touched: Set<Item.ID> = []
    var placed: Set<Item.ID> = []
    touched.reserveCapacity(entries.count)
    for entry in entries {
      for row in entry.old { touched.insert(row.id) }
      for row in entry.new { touched.insert(row.id) }
      if entry.isPlaced {
        for row in entry.old { placed.insert(row.id) }
        for row in entry.new { placed.insert(row.id) }
      }
    }
    self.touched = touched
    self.placed = placed
  }
}
