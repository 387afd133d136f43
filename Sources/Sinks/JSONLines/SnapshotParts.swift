import PlainStore
import PlainText

/// Splits a snapshot into the `sections` arrays of as many lines as needed. A section that does not
/// fit continues in the next line; an empty one appears once.
struct SnapshotParts {
  private let snapshot: ResultsSnapshot
  private let itemsPerLine: Int
  private let sections: [ResultsSnapshot.Section]
  private var section = 0
  private var items: [Item] = []
  private var index = 0
  private var isStarted = false

  init(_ snapshot: ResultsSnapshot, itemsPerLine: Int) {
    self.snapshot = snapshot
    self.itemsPerLine = itemsPerLine
    sections = snapshot.sections
    if let first = sections.first { items = snapshot.items(in: first.id) }
  }

  /// True if the complete list was returned.
  var isAtEnd: Bool { section >= sections.count }

  /// Returns the JSON of the next line's `sections`, or nil at the end. A list without sections
  /// gives one empty array.
  mutating func next() -> [UInt8]? {
    if isAtEnd, isStarted { return nil }
    isStarted = true
    var writer = JSONWriter()
    var room = itemsPerLine
    var isFirst = true
    writer.raw("[")
    while !isAtEnd {
      // A section with items starts in a line that has room for at least one of them.
      if room == 0, !items.isEmpty { break }
      let end = min(items.count, index + room)
      writer.separate(&isFirst)
      writer.write(sections[section], items[index..<end], showing: snapshot.request.fields)
      room -= end - index
      index = end
      if index < items.count { break }
      openNextSection()
    }
    writer.raw("]")
    return writer.bytes
  }

  private mutating func openNextSection() {
    section += 1
    index = 0
    items = isAtEnd ? [] : snapshot.items(in: sections[section].id)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ section: ResultsSnapshot.Section, _ items: ArraySlice<Item>, showing fields: [FieldPath]) {
    raw("{\"id\":")
    write(section.id.description)
    if let title = section.title {
      raw(",\"title\":")
      write(title)
    }
    raw(",\"items\":")
    list(items) { writer, item in
      writer.raw("{\"id\":")
      writer.write(item.id.description)
      writer.writePathAndValue(of: item, showing: fields)
      writer.raw("}")
    }
    raw("}")
  }
}
