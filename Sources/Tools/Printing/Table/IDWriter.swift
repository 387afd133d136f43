package import Store
package import Streams

/// Writes the ids of a list, one per line, for scripts. A terminal gets control characters escaped.
package struct IDWriter {
  private let isTerminal: Bool
  private static let idsPerWrite = 4_096

  package init(isTerminal: Bool) {
    self.isTerminal = isTerminal
  }

  /// Returns an id, escaped so that no program takes the line for JSON, a blank line or a BOM.
  private static func line(_ id: String) -> String {
    // The usual case: nothing to escape.
    if let first = id.utf8.first, first.isASCIILetterOrDigit { return id }
    let blanks = id.utf8.prefix { $0 == UInt8(ascii: " ") }.count
    switch id.utf8.dropFirst(blanks).first {
    case nil where blanks > 0: return "%20\(id.dropFirst())"
    case UInt8(ascii: "[")?:
      return "\(String(repeating: " ", count: blanks))%5B\(String(id.unicodeScalars.dropFirst(blanks + 1)))"
    case UInt8(ascii: "{")?:
      return "\(String(repeating: " ", count: blanks))%7B\(String(id.unicodeScalars.dropFirst(blanks + 1)))"
    default:
      return id.unicodeScalars.first == "\u{FEFF}" ? "%EF%BB%BF\(String(id.unicodeScalars.dropFirst()))" : id
    }
  }

  package func line(of id: Item.ID) -> [UInt8] {
    var bytes: [UInt8] = []
    append(id, to: &bytes)
    return bytes
  }

  private func append(_ row: Item.ID, to bytes: inout [UInt8]) {
    let id = row.item.description
    bytes.append(contentsOf: IDWriter.line(isTerminal ? DisplayText.safe(id) : id).utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  package func pieces(of snapshot: ListSnapshot<Item>) -> OutputPieces {
    let list = snapshot.list
    let size = IDWriter.idsPerWrite
    return OutputPieces((list.numberOfItems + size - 1) / size) { number in
      var bytes: [UInt8] = []
      // A row has its id, so no item is looked up.
      for row in list.items(in: number * size..<(number + 1) * size) { append(row, to: &bytes) }
      return bytes
    }
  }
}

extension UInt8 {
  fileprivate var isASCIILetterOrDigit: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
  }
}
