package import PlainStore
package import Streams
import TextEdits
import Values

/// Writes a list as one JSON document with its sections:
/// `{"count":…,"matching":…,"total":…,"sections":[{"id":…,"title":…,"items":[…]}]}`.
package enum ListDocument {
  /// The number of items that are written at once.
  private static let itemsPerPiece = 500

  /// Returns a list as one document.
  ///
  /// - Parameters:
  ///   - snapshot: The list.
  ///   - total: The number of items in the folder.
  ///   - hints: Sentences that say why the list is empty, and warnings about its request.
  package static func pieces(of snapshot: ResultsSnapshot, total: Int, hints: [String] = []) -> OutputPieces {
    let parts = SnapshotPart.parts(of: snapshot, itemsPerLine: itemsPerPiece)
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
    writer.raw(",\"matching\":")
    writer.write(snapshot.totalCount)
    writer.raw(",\"total\":")
    writer.write(total)
    if !hints.isEmpty {
      writer.raw(",\"hints\":")
      writer.write(.list(hints.map(Value.string)))
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
        writer.raw(",\"title\":")
        writer.write(title)
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
