import Store
import Streams

/// The tables, each read and written in one transaction.
extension Connection {
  func readHistory() throws -> (view: [UInt8], history: History, readerAcknowledges: Bool) {
    var steps: [History.Step] = []
    try forEach("SELECT step, seq, token, digest, size, checksum FROM steps ORDER BY step") {
      row in
      guard let number = row.number(0), let seq = row.number(1), let token = row.bytes(2),
        let bytes = row.bytes(3),
        let digest = RecordDigest(bytes), let size = row.number(4),
        row.bytes(5) == Connection.checksum([number, seq, size], token, bytes)
      else { throw StateError.damaged }
      let position = StreamPosition(seq: Int(seq), token: String(decoding: token, as: UTF8.self))
      steps.append(History.Step(number: number, position: position, digest: digest, undoSize: Int(size)))
    }
    var found: (view: [UInt8], acknowledged: Int64?, newest: Int64?, isExplicit: Bool)?
    try forEach("SELECT view, acknowledged, newest, explicit, checksum FROM state") { row in
      guard let view = row.bytes(0), let isExplicit = row.number(3),
        row.bytes(4) == Connection.checksum([row.number(1) ?? -1, row.number(2) ?? -1, isExplicit], view)
      else { throw StateError.damaged }
      found = (view, row.number(1), row.number(2), isExplicit == 1)
    }
    guard let found, found.newest == steps.last?.number,
      let history = History(steps, acknowledged: found.acknowledged)
    else {
      throw StateError.damaged
    }
    return (found.view, history, found.isExplicit)
  }

  func writeState(view: [UInt8], _ history: History, readerAcknowledges: Bool) throws {
    let acknowledged = history.acknowledged
    let newest = history.newest?.number
    let explicit = Int64(readerAcknowledges ? 1 : 0)
    try run(
      "INSERT OR REPLACE INTO state VALUES (0, ?, ?, ?, ?, ?)", .bytes(view),
      acknowledged.map(Parameter.number),
      newest.map(Parameter.number), .number(explicit),
      .bytes(Connection.checksum([acknowledged ?? -1, newest ?? -1, explicit], view)))
  }

  private func write(_ step: History.Step) throws {
    let seq = Int64(step.position.seq)
    let size = Int64(step.undoSize)
    let token = Array(step.position.token.utf8)
    let digest = step.digest.bytes
    try run(
      "INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?)", .number(step.number), .number(seq),
      .bytes(token), .bytes(digest),
      .number(size), .bytes(Connection.checksum([step.number, seq, size], token, digest)))
  }

  /// Returns the checksum of a row that is not covered by the digest of a list.
  private static func checksum(_ numbers: [Int64], _ parts: [UInt8]...) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers + parts.map({ Int64($0.count) }) {
      bytes.append(word: UInt64(bitPattern: number))
    }
    for part in parts { bytes.append(contentsOf: part) }
    return ContentDigest(of: bytes).bytes
  }

  func begin(_ list: OfferedList, _ history: inout History) throws {
    var records: [Record] = []
    let sections = list.list.sectionTitles
    for (section, rank) in zip(sections, OrderLabels.spread(sections.count)) {
      records.append(Record(section: section.id, title: section.title, rank: rank))
    }
    var section: SectionID?
    var ranks: ArraySlice<Int64> = []
    list.list.forEachRow { row in
      if row.section != section {
        section = row.section
        ranks = OrderLabels.spread(list.list.list.numberOfItems(inSection: row.section))[...]
      }
      records.append(Record(row, rank: ranks.popFirst() ?? 0))
    }
    // In the order of the keys, each page of the table is written once.
    records.sort { $0.key.lexicographicallyPrecedes($1.key) }
    var digest = RecordDigest()
    let insert = try query("INSERT INTO records VALUES (?, ?, ?, ?, ?)")
    for record in records {
      try insert.run(record.parameters)
      digest.add(record)
    }
    let step = History.Step(number: 1, position: list.position, digest: digest, undoSize: 0)
    try write(step)
    history.append(step)
  }

  /// Changes the newest list, and writes the undo log of the change.
  func append(_ position: StreamPosition, _ changes: ListChanges, to history: inout History) throws {
    guard let newest = history.newest else { throw StateError.damaged }
    var writer = try RecordWriter(self, base: newest.number, digest: newest.digest)
    try writer.write(changes)
    let step = History.Step(
      number: newest.number + 1, position: position, digest: writer.digest, undoSize: writer.undoSize)
    try write(step)
    history.append(step)
  }

  func reduce(_ history: inout History, _ limits: History.Limits) throws {
    while let reduction = history.reduction(limits) {
      switch reduction {
      case .drop(let step):
        try remove(step)
        history.apply(reduction)
      case .merge(let step, let older):
        let size = try merge(step, into: older)
        history.apply(reduction, growth: size)
        try write(history.steps[1])
      }
    }
  }

  private func remove(_ step: History.Step) throws {
    try run("DELETE FROM undo WHERE base = ?", .number(step.number))
    try run("DELETE FROM steps WHERE step = ?", .number(step.number))
  }

  /// Merges the undo log of a step into the one before. Returns the size by which that one grows.
  private func merge(_ step: History.Step, into older: History.Step) throws -> Int {
    var growth: Int64 = 0
    try forEach(
      """
      SELECT total(\(UndoEntry.sqlSize)) FROM undo WHERE base = ?1
      AND NOT EXISTS (SELECT 1 FROM undo AS older WHERE older.base = ?2 AND older.key = undo.key)
      """, .number(step.number), .number(older.number)
    ) { row in growth = row.number(0) ?? 0 }
    // If a record only moved in the older step, its content is in the newer log.
    try run(
      """
      INSERT INTO undo SELECT ?2, key, kind, gone, section, rank, path, value FROM undo WHERE base = ?1
      ON CONFLICT (base, key) DO UPDATE SET gone = excluded.gone,
      kind = CASE WHEN kind = 1 AND excluded.kind = 2 THEN 2 ELSE kind END,
      path = CASE WHEN kind = 1 AND excluded.kind = 2 THEN excluded.path ELSE path END,
      value = CASE WHEN kind = 1 AND excluded.kind = 2 THEN excluded.value ELSE value END
      """, .number(step.number), .number(older.number))
    // A record that was added and removed between the two lists is in neither.
    try run(
      """
      DELETE FROM undo WHERE base = ?2 AND kind = 0 AND gone = 1 AND key IN (SELECT key FROM undo WHERE base = ?1)
      """, .number(step.number), .number(older.number))
    try remove(step)
    return Int(growth)
  }

  func records(of step: History.Step) throws -> StoredRecords {
    var older = try undo(to: step)
    var records = StoredRecords()
    try forEach("SELECT key, section, rank, path, value FROM records") { row in
      let bytes = try RecordBytes(row, from: 0)
      guard !older.isEmpty, let entry = older.removeValue(forKey: Array(bytes.key)) else {
        return records.add(bytes)
      }
      if let record = entry.older(than: Record(bytes)) { records.add(record) }
    }
    for entry in older.values {
      switch entry.kind {
      case .absent: continue
      case .place: throw StateError.damaged
      case .complete: records.add(entry.record)
      }
    }
    if records.digest != step.digest { throw StateError.damaged }
    return records
  }

  /// Reads the undo logs that lead back to a step, and combines them.
  private func undo(to step: History.Step) throws -> [[UInt8]: UndoEntry] {
    var older: [[UInt8]: UndoEntry] = [:]
    try forEach(
      "SELECT kind, key, section, rank, path, value FROM undo WHERE base >= ? ORDER BY base DESC",
      .number(step.number)
    ) { row in
      guard let kind = row.number(0).flatMap(UndoEntry.Kind.init) else { throw StateError.damaged }
      let entry = UndoEntry(kind: kind, record: Record(try RecordBytes(row, from: 1)))
      guard let newer = older[entry.record.key] else { return older[entry.record.key] = entry }
      guard let both = entry.following(newer) else { throw StateError.damaged }
      older[entry.record.key] = both
    }
    return older
  }

  func touched(since step: History.Step) throws -> Set<Item.ID> {
    var ids: Set<Item.ID> = []
    try forEach("SELECT key FROM undo WHERE base >= ?", .number(step.number)) { row in
      if let id = row.borrowedBytes(0).flatMap(Record.row) { ids.insert(id) }
    }
    return ids
  }
}

extension RecordBytes {
  fileprivate init(_ row: Query, from column: CInt) throws {
    guard let key = row.borrowedBytes(column), let section = row.borrowedBytes(column + 1),
      let rank = row.number(column + 2)
    else {
      throw StateError.damaged
    }
    let path = row.borrowedBytes(column + 3)
    let value = row.borrowedBytes(column + 4)
    if path == nil, !row.isNull(column + 3) { throw StateError.damaged }
    if value == nil, !row.isNull(column + 4) { throw StateError.damaged }
    self.init(key: key, section: section, rank: rank, path: path, value: value)
  }
}

extension Record {
  var parameters: [Parameter?] {
    [.bytes(key), .bytes(section), .number(rank), path.map(Parameter.bytes), value.map(Parameter.bytes)]
  }
}
