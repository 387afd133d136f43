package import Store
package import Streams

/// Writes items as JSON for programs: `{"id":…,"path":…,"section":…,"value":…}` per item, as one
/// array or as one object per line.
package enum ItemListWriter {
  private static let itemsPerWrite = 500

  /// Returns a list as one array, with one line per item.
  package static func array(_ snapshot: ListSnapshot<Item>) -> OutputPieces {
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

  package static func lines(_ snapshot: ListSnapshot<Item>) -> OutputPieces {
    pieces(of: snapshot, before: { _ in "" }, after: { _ in "\n" })
  }

  /// Returns each item of a list, with what comes before and after it by its number.
  private static func pieces(
    of snapshot: ListSnapshot<Item>, before: @escaping @Sendable (Int) -> StaticString,
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

  /// Returns an item as one line, as `lines` does. There is no section if the list has no such item.
  package static func line(of item: Item, section: SectionID?, showing fields: [FieldPath]) -> [UInt8] {
    json(of: item, section: section, showing: fields) + [UInt8(ascii: "\n")]
  }

  /// Returns `{"id":…,"path":…,"value":…}` with all or some fields of an item, and its section.
  package static func json(of item: Item, section: SectionID? = nil, showing fields: [FieldPath] = [])
    -> [UInt8]
  {
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

  /// Returns a list as one JSON document with its sections, and with sentences that say why it is empty:
  /// `{"count":…,"matching":…,"total":…,"sections":[{"id":…,"title":…,"items":[…]}]}`.
  package static func document(_ snapshot: ListSnapshot<Item>, total: Int, hints: [String] = [])
    -> OutputPieces
  {
    let parts = SnapshotPart.parts(of: snapshot, itemsPerLine: itemsPerWrite)
    return OutputPieces(parts.count) { number in
      var writer = JSONWriter()
      if number == 0 { writeHead(of: snapshot, total: total, hints, to: &writer) }
      for (index, piece) in parts[number].enumerated() {
        if piece.startsSection, number > 0 || index > 0 { writer.raw(",") }
        writer.write(
          piece, of: snapshot, starts: piece.startsSection,
          ends: piece.endsSection)
      }
      if number == parts.count - 1 { writer.raw("]}\n") }
      return writer.bytes
    }
  }

  private static func writeHead(
    of snapshot: ListSnapshot<Item>, total: Int, _ hints: [String], to writer: inout JSONWriter
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
}
