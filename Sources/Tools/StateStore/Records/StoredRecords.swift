import Store
import Streams

/// Collects the records of one list, in any order, and makes the list of them.
///
/// Each start reads a complete list, so rows are made directly from SQLite's buffers. No value is
/// decoded before the digest was compared.
struct StoredRecords {
  private(set) var digest = RecordDigest()
  private var sections: [(rank: Int64, id: SectionID, title: String?)] = []
  private var rows: [ListRow] = []
  /// The place of each row: the number of its section, and its label in it.
  private var places: [(section: Int, rank: Int64, index: Int)] = []
  /// The sections that rows name, in the order in which they were found.
  private var named: [SectionID] = []
  private var numbers: [SectionID: Int] = [:]
  /// True if a record is neither a section nor a row.
  private var isInvalid = false

  mutating func add(_ record: Record) { record.withBytes { add($0) } }

  mutating func add(_ record: RecordBytes) {
    digest.add(record)
    if let section = Record.section(ofKey: record.key) {
      sections.append((record.rank, section, record.path.map { String(decoding: $0, as: UTF8.self) }))
    } else if let id = Record.row(ofKey: record.key), let path = record.path, let value = record.value {
      let section = number(record.section)
      places.append((section, record.rank, rows.count))
      rows.append(
        ListRow(
          section: named[section], id: id, path: RelativePath(bytes: path),
          value: PackedValue(bytes: Array(value))))
    } else {
      isInvalid = true
    }
  }

  private mutating func number(_ text: UnsafeRawBufferPointer) -> Int {
    if let last = places.last?.section, named[last].description.utf8.elementsEqual(text) { return last }
    let section = SectionID(String(decoding: text, as: UTF8.self))
    if let number = numbers[section] { return number }
    numbers[section] = named.count
    named.append(section)
    return named.count - 1
  }

  consuming func list(_ request: FetchRequest) -> ListSnapshot<Item>? {
    if isInvalid { return nil }
    sections.sort { $0.rank < $1.rank }
    var order = Array(repeating: -1, count: named.count)
    for (number, section) in sections.enumerated() {
      if let name = numbers[section.id] { order[name] = number }
    }
    if order.contains(-1) { return nil }
    for index in places.indices { places[index].section = order[places[index].section] }
    places.sort { $0.section == $1.section ? $0.rank < $1.rank : $0.section < $1.section }
    return ListSnapshot<Item>(
      restoring: sections.map { ($0.id, $0.title) }, rows: places.map { rows[$0.index] }, request: request)
  }
}
