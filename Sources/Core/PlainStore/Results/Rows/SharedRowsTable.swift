import Folder
import Synchronization

/// The rows that the lists of a store share, by their order. Rows that no list holds are gone.
///
/// One lock guards it. It is acquired under the lock of a list; while it is held, nothing else is
/// locked.
final class SharedRowsTable: Sendable {
  /// Lock: guards which rows the lists of a store share.
  private let entries = Mutex<[RowOrder: Entry]>([:])

  private struct Entry {
    weak var rows: SharedRows?
  }

  /// Returns the rows of a published state in an order; nil if those of a later state were made
  /// already.
  func rows(of state: StoreState, in order: RowOrder) -> (shared: SharedRows, rows: ArrangedRows)? {
    let shared = entries.withLock { entries in
      if let rows = entries[order]?.rows { return rows }
      let rows = SharedRows(followingStore: order)
      entries = entries.filter { $0.value.rows != nil }
      entries[order] = Entry(rows: rows)
      return rows
    }
    return shared.rows(of: state).map { (shared, $0) }
  }

  /// The number of orders in which lists show the store.
  var count: Int { entries.withLock { $0.values.count { $0.rows != nil } } }
}
