/// One row of the undo log.
struct UndoRow {
  private let entry: UndoEntry
  /// True if the list after the step does not have the record.
  private let isGone: Bool

  init(_ kind: UndoEntry.Kind, of record: Record, isGone: Bool = false) {
    entry = UndoEntry(kind: kind, record: record)
    self.isGone = isGone
  }

  /// The estimated size of a row without the bytes of its record.
  private static let overhead = 24

  /// The SQL expression for the size of a row.
  static let size =
    "\(overhead) + length(key) + length(section) + ifnull(length(path), 0) + ifnull(length(value), 0)"

  var size: Int {
    let record = entry.record
    return UndoRow.overhead + record.key.count + record.section.count + (record.path?.count ?? 0)
      + (record.value?.count ?? 0)
  }

  func parameters(base: Int64) -> [Parameter?] {
    let values = entry.record.parameters
    return [.number(base), values[0], .number(entry.kind.rawValue), .number(isGone ? 1 : 0)] + values[1...]
  }
}
