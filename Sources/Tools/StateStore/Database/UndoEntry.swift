/// The state of a record in an older list, compared with the next list that can be produced.
struct UndoEntry {
  enum Kind: Int64 {
    case absent = 0
    /// The record had another place and the same content.
    case place = 1
    /// The record had another content, or it is gone.
    case complete = 2
  }

  let kind: Kind
  /// The older record. For `place`, only its section and its rank are used.
  var record: Record
  /// True if the next list does not have the record.
  var isGone = false

  /// The entry that undoes two steps: the newer one, then this one. Nil if they contradict each other.
  func following(_ newer: UndoEntry) -> UndoEntry? {
    guard kind == .place else { return self }
    if newer.kind == .absent { return nil }
    return UndoEntry(kind: newer.kind, record: moved(newer.record))
  }

  /// Returns the older state of a record; nil if it did not exist.
  func older(than record: Record) -> Record? {
    switch kind {
    case .absent: nil
    case .place: moved(record)
    case .complete: self.record
    }
  }

  private func moved(_ content: Record) -> Record {
    Record(
      key: record.key, section: record.section, rank: record.rank, path: content.path, value: content.value)
  }

  /// The estimated size of a row of the log without the bytes of its record.
  private static let overhead = 24

  static let sqlSize =
    "\(overhead) + length(key) + length(section) + ifnull(length(path), 0) + ifnull(length(value), 0)"

  var size: Int {
    UndoEntry.overhead + record.key.count + record.section.count + (record.path?.count ?? 0)
      + (record.value?.count ?? 0)
  }

  func parameters(base: Int64) -> [Parameter?] {
    let values = record.parameters
    return [.number(base), values[0], .number(kind.rawValue), .number(isGone ? 1 : 0)] + values[1...]
  }
}
