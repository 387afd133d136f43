import Store
import Streams

/// Writes the changes of one step into the records of the newest list, and the undo log that leads
/// back. Writes each record at most once.
struct RecordWriter {
  private(set) var digest: RecordDigest
  private(set) var undoSize = 0
  private let base: Int64
  private let select, replace, delete, log: Query

  /// - Parameter base: The number of the step before, which has the digest.
  init(_ db: Connection, base: Int64, digest: RecordDigest) throws {
    self.base = base
    self.digest = digest
    select = try db.query("SELECT section, rank, path, value FROM records WHERE key = ?")
    replace = try db.query("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)")
    delete = try db.query("DELETE FROM records WHERE key = ?")
    log = try db.query("INSERT INTO undo VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
  }

  mutating func write(_ changes: ListChanges) throws {
    for key in changes.removed { try remove(key) }
    try writeSections(changes)
    var edited = Set(changes.edited)
    for (section, places) in changes.placedRows {
      try writeRows(places, in: section, of: changes.list, &edited)
    }
    for id in edited {
      guard let old = try record(Record.key(of: id)), let row = changes.list.row(id) else {
        throw StateError.damaged
      }
      try put(Record(row, rank: old.rank), over: old)
    }
  }

  /// Writes new, moved and renamed sections, and the labels that have to change for them.
  private mutating func writeSections(_ changes: ListChanges) throws {
    let list = changes.list
    var titled = Set(changes.titled)
    let placed = Set(changes.placedSections)
    let labels = try OrderLabels.assign(changes.placedSections, count: list.list.numberOfSections) { number in
      if placed.contains(number) { return nil }
      guard let section = list.list.sectionIdentifier(at: number),
        let old = try record(Record.key(of: section))
      else {
        throw StateError.damaged
      }
      return old.rank
    }
    for (number, rank) in labels {
      guard let section = list.list.sectionIdentifier(at: number) else { throw StateError.damaged }
      titled.remove(section)
      try put(Record(section: section, title: list.title(of: section), rank: rank))
    }
    for section in titled {
      guard let old = try record(Record.key(of: section)) else { throw StateError.damaged }
      try put(Record(section: section, title: list.title(of: section), rank: old.rank), over: old)
    }
  }

  /// Writes the rows at some places of a section, and the labels that have to change for them.
  private mutating func writeRows(
    _ places: [Int], in section: SectionID, of list: ListSnapshot<Item>, _ edited: inout Set<Item.ID>
  ) throws {
    let placed = Set(places)
    let key = Array(section.description.utf8)
    let labels = try OrderLabels.assign(places, count: list.list.numberOfItems(inSection: section)) { index in
      if placed.contains(index) { return nil }
      guard let id = list.list.item(at: Place(section: section, index: index)),
        let old = try record(Record.key(of: id)), old.section == key
      else { throw StateError.damaged }
      return old.rank
    }
    for (index, rank) in labels {
      guard let id = list.list.item(at: Place(section: section, index: index)) else {
        throw StateError.damaged
      }
      let isEdited = edited.remove(id) != nil
      if isEdited || placed.contains(index) {
        guard let row = list.row(id) else { throw StateError.damaged }
        try put(Record(row, rank: rank))
      } else if let old = try record(Record.key(of: id)) {
        var record = old
        record.rank = rank
        try put(record, over: old)
      }
    }
  }

  private func record(_ key: [UInt8]) throws -> Record? {
    defer { select.reset() }
    try select.bind([.bytes(key)])
    guard try select.step() else { return nil }
    guard let section = select.bytes(0), let rank = select.number(1) else { throw StateError.damaged }
    return Record(key: key, section: section, rank: rank, path: select.bytes(2), value: select.bytes(3))
  }

  private mutating func put(_ record: Record) throws { try put(record, over: try self.record(record.key)) }

  private mutating func put(_ record: Record, over old: Record?) throws {
    guard let old else {
      try write(
        UndoEntry(kind: .absent, record: Record(key: record.key, section: [], rank: 0, path: nil, value: nil))
      )
      return try insert(record)
    }
    if old == record { return }
    let hasSameContent = old.path == record.path && old.value == record.value
    var undone = old
    if hasSameContent {
      undone.path = nil
      undone.value = nil
    }
    try write(UndoEntry(kind: hasSameContent ? .place : .complete, record: undone))
    digest.remove(old)
    try insert(record)
  }

  private mutating func insert(_ record: Record) throws {
    try replace.run(record.parameters)
    digest.add(record)
  }

  private mutating func remove(_ key: [UInt8]) throws {
    guard let old = try record(key) else { throw StateError.damaged }
    try write(UndoEntry(kind: .complete, record: old, isGone: true))
    try delete.run([.bytes(key)])
    digest.remove(old)
  }

  private mutating func write(_ entry: UndoEntry) throws {
    try log.run(entry.parameters(base: base))
    undoSize += entry.size
  }
}
