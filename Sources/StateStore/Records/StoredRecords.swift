import DirectoryWatch
import PlainStore
import PlainText

/// The records of one list, as they were read and verified, in any order.
struct StoredRecords {
  private var records: [Record] = []
  private(set) var digest = RecordDigest()

  mutating func add(_ record: Record) {
    records.append(record)
    digest.add(record)
  }

  /// Makes the list; nil if the records do not form one.
  func list(_ request: ListRequest) -> ResultsSnapshot? {
    var sections = records.filter { Record.section(ofKey: $0.key) != nil }
    sections.sort { $0.rank < $1.rank }
    var numbers: [[UInt8]: Int] = [:]
    var titled: [(id: SectionID, title: String?)] = []
    for section in sections {
      guard let id = Record.section(ofKey: section.key) else { return nil }
      numbers[Array(id.description.utf8)] = titled.count
      titled.append((id, section.path.map { String(decoding: $0, as: UTF8.self) }))
    }
    guard let order = order(numbers) else { return nil }
    var rows: [ListRow] = []
    rows.reserveCapacity(order.count)
    for place in order {
      guard let row = row(records[place.index], in: titled[place.section].id) else { return nil }
      rows.append(row)
    }
    var request = request
    // The list has the titles that it had then.
    let titles = titled.compactMap { section in section.title.map { (section.id, $0) } }
    request.section?.titles = Dictionary(titles) { first, _ in first }
    return ResultsSnapshot(restoring: titled, rows: rows, request: request)
  }

  /// The place of a row: the number of its section and its label in it.
  private struct Place {
    let section: Int
    let rank: Int64
    /// The index of the record.
    let index: Int
  }

  /// Returns the rows in the order of the list; nil if one has an unknown section.
  private func order(_ numbers: [[UInt8]: Int]) -> [Place]? {
    var places: [Place] = []
    places.reserveCapacity(records.count)
    var last: (section: [UInt8], number: Int)?
    for (index, record) in records.enumerated() where Record.isRow(record.key) {
      if last?.section != record.section {
        guard let number = numbers[record.section] else { return nil }
        last = (record.section, number)
      }
      places.append(Place(section: last?.number ?? 0, rank: record.rank, index: index))
    }
    places.sort { ($0.section, $0.rank) < ($1.section, $1.rank) }
    return places
  }

  private func row(_ record: Record, in section: SectionID) -> ListRow? {
    guard let id = Record.row(ofKey: record.key), let path = record.path, let value = record.value else { return nil }
    return ListRow(section: section, id: id, path: RelativePath(bytes: path), value: PackedValue(bytes: value))
  }
}
