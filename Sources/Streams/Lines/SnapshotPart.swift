package import Store

/// Some neighbouring items of a section, which are written together.
package struct SnapshotPart: Sendable {
  package let section: ListSection<Item>
  package let items: Range<Int>

  package var startsSection: Bool { items.lowerBound == 0 }
  package var endsSection: Bool { items.upperBound == section.count }

  /// Returns what each line of a snapshot contains. A section that does not fit continues in the next
  /// line; an empty one appears once. A list without sections has one empty line.
  package static func parts(of snapshot: ListSnapshot<Item>, itemsPerLine: Int) -> [[SnapshotPart]] {
    var lines: [[SnapshotPart]] = [[]]
    var room = itemsPerLine
    for section in snapshot.sections {
      var start = 0
      repeat {
        // A section with items starts in a line that has room for at least one of them.
        if room == 0, section.count > 0 {
          lines.append([])
          room = itemsPerLine
        }
        let end = min(section.count, start + room)
        lines[lines.count - 1].append(SnapshotPart(section: section, items: start..<end))
        room -= end - start
        start = end
      } while start < section.count
    }
    return lines
  }
}

extension [SnapshotPart] {
  package func forEachItem(of snapshot: ListSnapshot<Item>, _ body: (Item, SectionID) -> Void) {
    for part in self {
      for item in snapshot.items(in: part.section.id, part.items) { body(item, part.section.id) }
    }
  }
}

extension JSONWriter {
  /// Writes a section, or a part of it: its start and its end may be in other parts.
  package mutating func write(
    _ part: SnapshotPart, of snapshot: ListSnapshot<Item>, starts: Bool = true, ends: Bool = true
  ) {
    if starts {
      raw("{\"id\":")
      write(part.section.id.description)
      if let title = part.section.title {
        raw(",\"title\":")
        write(title)
      }
      raw(",\"items\":[")
    }
    var isFirst = starts
    for item in snapshot.items(in: part.section.id, part.items) {
      separate(&isFirst)
      raw("{\"id\":")
      write(item.id.description)
      writePathAndValue(of: item, showing: snapshot.request.fields)
      raw("}")
    }
    if ends { raw("]}") }
  }
}
