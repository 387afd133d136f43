package import Store
import TextEdits
import Values

/// Some neighbouring items of a snapshot, which one line contains.
///
/// A section that does not fit continues in the next part; an empty one appears once.
package struct SnapshotPart: Sendable {
  /// A section and the indexes of its items.
  package struct Piece: Sendable {
    package let section: ResultsSnapshot.Section
    package let items: Range<Int>

    package var startsSection: Bool { items.lowerBound == 0 }
  }

  package private(set) var pieces: [Piece] = []

  /// Splits a snapshot. A list without sections has one empty part.
  package static func parts(of snapshot: ResultsSnapshot, itemsPerLine: Int) -> [SnapshotPart] {
    var parts = [SnapshotPart()]
    var room = itemsPerLine
    for section in snapshot.sections {
      var start = 0
      repeat {
        // A section with items starts in a part that has room for at least one of them.
        if room == 0, section.count > 0 {
          parts.append(SnapshotPart())
          room = itemsPerLine
        }
        let end = min(section.count, start + room)
        parts[parts.count - 1].pieces.append(Piece(section: section, items: start..<end))
        room -= end - start
        start = end
      } while start < section.count
    }
    return parts
  }

  /// Calls `body` with each item and its section, in order.
  package func forEachItem(of snapshot: ResultsSnapshot, _ body: (Item, SectionID) -> Void) {
    for piece in pieces {
      for item in snapshot.items(in: piece.section.id, piece.items) { body(item, piece.section.id) }
    }
  }

  /// Writes the `sections` of the part's line.
  func write(_ snapshot: ResultsSnapshot, to writer: inout JSONWriter) {
    writer.list(pieces) { writer, piece in
      writer.write(
        piece.section, snapshot.items(in: piece.section.id, piece.items), showing: snapshot.request.fields)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(
    _ section: ResultsSnapshot.Section, _ items: [Item], showing fields: [FieldPath]
  ) {
    raw("{\"id\":")
    write(section.id.description)
    if let title = section.title {
      field("title", title)
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
