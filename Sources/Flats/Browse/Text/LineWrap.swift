import Files
import Terminal

/// A line of text, broken into rows of a width: after a blank where one is near, otherwise between
/// two characters. Tabs become four spaces; everything else is shown as `DisplayText` shows it.
struct LineWrap {
  let bytes: [UInt8]
  /// The bytes of each row. There is at least one row.
  private(set) var rows: [Range<Int>] = []

  static let tabWidth = 4

  init(_ text: String, width: Int) {
    bytes = Array(text.utf8)
    let width = max(width, 1)
    var start = 0
    var end = 0
    var column = 0
    /// The place after the last blank of the row.
    var blank: (end: Int, column: Int)?
    func endRow() {
      // A break that leaves most of the row empty is not worth it.
      if let blank, blank.column * 2 >= width {
        rows.append(start..<blank.end)
        start = blank.end
        column -= blank.column
      } else {
        rows.append(start..<end)
        start = end
        column = 0
      }
      blank = nil
    }
    func add(_ count: Int, columns: Int, isBlank: Bool) {
      // A blank that does not fit stays at the end of the row, where it is not drawn. A row that is
      // broken at a blank leaves a rest, which may again be too wide together with the character.
      while column + columns > width, end > start, !isBlank { endRow() }
      end += count
      column += columns
      if isBlank { blank = (end, column) }
    }
    if bytes.allSatisfy({ $0 < 0x7F && ($0 >= 0x20 || $0 == 0x09) }) {
      for byte in bytes {
        add(1, columns: byte == 0x09 ? LineWrap.tabWidth : 1, isBlank: byte == 0x20 || byte == 0x09)
      }
    } else {
      for character in text {
        let isTab = character == "\t"
        let columns = isTab ? LineWrap.tabWidth : DisplayText.width(of: String(character))
        add(character.utf8.count, columns: columns, isBlank: isTab || character == " ")
      }
    }
    rows.append(start..<end)
  }

  func styled(_ row: Int, _ spans: [TextSpan]) -> StyledLine {
    var line = StyledLine()
    guard rows.indices.contains(row) else { return line }
    var range = rows[row]
    // Blanks at an end are not visible, and may be outside of the width.
    while let last = range.last, LineWrap.isBlank(bytes[last]) { range = range.dropLast() }
    var index = spans.prefixCount { $0.end <= range.lowerBound }
    var start = range.lowerBound
    while start < range.upperBound {
      let isLast = index >= spans.count
      let end = isLast ? range.upperBound : min(spans[index].end, range.upperBound)
      if end > start { line.append(text(start..<end), isLast ? Style() : spans[index].style) }
      start = max(end, start)
      index += 1
    }
    return line
  }

  private func text(_ range: Range<Int>) -> String {
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard bytes[range].contains(0x09) else { return text }
    return text.split(separator: "\t", omittingEmptySubsequences: false).joined(
      separator: String(repeating: " ", count: LineWrap.tabWidth))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension Array {
  /// The condition holds for a prefix of the elements. O(log n).
  func prefixCount(where isBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A part of a line in one style: from the end of the span before it to `end`.
struct TextSpan: Hashable {
  var end: Int
  var style: Style
}
