import DirectoryWatch
package import PlainStore
import PlainText

/// Writes items as JSON for programs: `{"id":…,"path":…,"section":…,"value":…}` per item, as one
/// array or as one object per line.
package enum ItemListWriter {
  /// Writes a list as one array, with one line per item.
  package static func writeArray(_ snapshot: ResultsSnapshot, to output: inout some ByteOutput) throws {
    var isFirst = true
    try output.write(Array("[".utf8))
    try snapshot.forEachItem { item, section in
      try output.write(Array((isFirst ? "\n" : ",\n").utf8) + json(of: item, section: section, showing: snapshot.request.fields))
      isFirst = false
    }
    try output.write(Array((isFirst ? "]\n" : "\n]\n").utf8))
  }

  /// Writes items as one array, without sections.
  package static func writeArray(_ items: [Item], to output: inout some ByteOutput) throws {
    let lines = items.map { json(of: $0) }
    try output.write(Array("[\n".utf8) + Array(lines.joined(separator: Array(",\n".utf8))) + Array("\n]\n".utf8))
  }

  /// Writes a list as one object per line.
  package static func writeLines(_ snapshot: ResultsSnapshot, to output: inout some ByteOutput) throws {
    try snapshot.forEachItem { item, section in
      try output.write(json(of: item, section: section, showing: snapshot.request.fields) + [UInt8(ascii: "\n")])
    }
  }

  /// Returns `{"id":…,"path":…,"value":…}` with all fields of an item.
  package static func json(of item: Item) -> [UInt8] { json(of: item, section: nil, showing: []) }

  private static func json(of item: Item, section: SectionID?, showing fields: [FieldPath]) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{\"id\":")
    writer.write(item.id.description)
    writer.raw(",\"path\":")
    writer.write(item.path.description)
    if let section {
      writer.raw(",\"section\":")
      writer.write(section.description)
    }
    writer.raw(",")
    let (value, computed) = item.projection(fields)
    writer.writeValue(value)
    if let computed {
      writer.raw(",\"computed\":")
      writer.write(.map(computed))
    }
    writer.raw("}")
    return writer.bytes
  }
}
