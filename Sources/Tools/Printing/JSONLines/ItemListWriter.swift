import Files
package import Store
package import Streams
import TextEdits
package import Values

/// Writes items as JSON for programs: `{"id":…,"path":…,"section":…,"value":…}` per item, as one
/// array or as one object per line.
package enum ItemListWriter {
  private static let itemsPerWrite = 500

  /// Returns a list as one array, with one line per item.
  package static func array(_ snapshot: ResultsSnapshot) -> OutputPieces {
    let count = snapshot.count
    if count == 0 { return OutputPieces(Array("[]\n".utf8)) }
    return pieces(
      of: snapshot, before: { $0 == 0 ? "[\n" : ",\n" }, after: { $0 == count - 1 ? "\n]\n" : "" })
  }

  /// Writes items as one array, without sections.
  package static func writeArray(_ items: [Item], to output: inout some ByteOutput) throws {
    let lines = items.map { json(of: $0) }
    try output.write(
      Array("[\n".utf8) + Array(lines.joined(separator: Array(",\n".utf8))) + Array("\n]\n".utf8))
  }

  /// Returns a list as one object per line.
  package static func lines(_ snapshot: ResultsSnapshot) -> OutputPieces {
    pieces(of: snapshot, before: { _ in "" }, after: { _ in "\n" })
  }

  /// Returns each item of a list, with what comes before and after it by its number.
  private static func pieces(
    of snapshot: ResultsSnapshot, before: @escaping @Sendable (Int) -> StaticString,
    after: @escaping @Sendable (Int) -> StaticString
  ) -> OutputPieces {
    let parts = SnapshotPart.parts(of: snapshot, itemsPerLine: itemsPerWrite)
    let fields = snapshot.request.fields
    return OutputPieces(parts.count) { number in
      var writer = JSONWriter()
      var index = number * itemsPerWrite
      parts[number].forEachItem(of: snapshot) { item, section in
        writer.raw(before(index))
        write(item, section: section, showing: fields, to: &writer)
        writer.raw(after(index))
        index += 1
      }
      return writer.bytes
    }
  }

  /// Returns `{"id":…,"path":…,"value":…}` with all fields of an item.
  package static func json(of item: Item) -> [UInt8] { json(of: item, section: nil, showing: []) }

  /// Returns an item as one line, as `lines` does for a list.
  ///
  /// - Parameter section: The section of the item's row; nil if the list does not show the item.
  package static func line(of item: Item, section: SectionID?, showing fields: [FieldPath]) -> [UInt8] {
    json(of: item, section: section, showing: fields) + [UInt8(ascii: "\n")]
  }

  private static func json(of item: Item, section: SectionID?, showing fields: [FieldPath]) -> [UInt8] {
    var writer = JSONWriter()
    write(item, section: section, showing: fields, to: &writer)
    return writer.bytes
  }

  private static func write(
    _ item: Item, section: SectionID?, showing fields: [FieldPath], to writer: inout JSONWriter
  ) {
    writer.raw("{\"id\":")
    writer.write(item.id.description)
    writer.field("path", item.path.description)
    if let section {
      writer.field("section", section.description)
    }
    writer.raw(",")
    writer.writeValue(of: item, showing: fields)
    writer.raw("}")
  }
}

extension ItemListWriter {
  /// Returns a list as one JSON document with its sections:
  /// `{"count":…,"matching":…,"total":…,"sections":[{"id":…,"title":…,"items":[…]}]}`.
  ///
  /// - Parameters:
  ///   - snapshot: The list.
  ///   - total: The number of items in the folder.
  ///   - hints: Sentences that say why the list is empty, and warnings about its request.
  package static func document(_ snapshot: ResultsSnapshot, total: Int, hints: [String] = []) -> OutputPieces
  {
    let parts = SnapshotPart.parts(of: snapshot, itemsPerLine: itemsPerWrite)
    return OutputPieces(parts.count) { number in
      var writer = JSONWriter()
      if number == 0 { writeHead(of: snapshot, total: total, hints, to: &writer) }
      for (index, piece) in parts[number].pieces.enumerated() {
        if piece.startsSection, number > 0 || index > 0 { writer.raw(",") }
        write(piece, of: snapshot, to: &writer)
      }
      if number == parts.count - 1 { writer.raw("]}\n") }
      return writer.bytes
    }
  }

  private static func writeHead(
    of snapshot: ResultsSnapshot, total: Int, _ hints: [String], to writer: inout JSONWriter
  ) {
    writer.raw("{\"count\":")
    writer.write(snapshot.count)
    writer.field("matching", snapshot.totalCount)
    writer.field("total", total)
    if !hints.isEmpty {
      writer.field("hints", .list(hints.map(Value.string)))
    }
    writer.raw(",\"sections\":[")
  }

  /// Writes a part of a section: its start if the part begins it, and its end if the part ends it.
  private static func write(
    _ piece: SnapshotPart.Piece, of snapshot: ResultsSnapshot, to writer: inout JSONWriter
  ) {
    if piece.startsSection {
      writer.raw("{\"id\":")
      writer.write(piece.section.id.description)
      if let title = piece.section.title {
        writer.field("title", title)
      }
      writer.raw(",\"items\":[")
    }
    var isFirst = piece.startsSection
    for item in snapshot.items(in: piece.section.id, piece.items) {
      writer.separate(&isFirst)
      writer.raw("{\"id\":")
      writer.write(item.id.description)
      writer.writePathAndValue(of: item, showing: snapshot.request.fields)
      writer.raw("}")
    }
    if piece.items.upperBound == piece.section.count { writer.raw("]}") }
  }
}
