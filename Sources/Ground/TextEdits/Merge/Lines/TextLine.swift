/// A line with its line break, compared byte for byte.
package struct TextLine: Hashable {
  package let bytes: [UInt8]

  static func split(_ text: String) -> [TextLine] { split(Array(text.utf8)) }

  /// Splits after each LF. A line that ends with CRLF keeps both bytes.
  package static func split(_ bytes: [UInt8]) -> [TextLine] {
    var lines: [TextLine] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 0x0A {
      lines.append(TextLine(bytes: Array(bytes[start...index])))
      start = index + 1
    }
    if start < bytes.count { lines.append(TextLine(bytes: Array(bytes[start...]))) }
    return lines
  }

  static func joined(_ lines: [TextLine]) -> String {
    String(decoding: lines.flatMap(\.bytes), as: UTF8.self)
  }

  /// The line without indentation, whitespace at its end and a final comma.
  var trimmed: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }),
      let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    let isComma = bytes[end] == UInt8(ascii: ",") && end > start
    return bytes[start..<(isComma ? end : end + 1)]
  }

  /// True if the line is a comment in YAML. In the text of Markdown, headings look the same.
  var isComment: Bool { trimmed.first == UInt8(ascii: "#") }

  /// The key of a field: the text before the first colon, without indentation. Nil if the line has
  /// no key.
  var label: ArraySlice<UInt8>? {
    let line = trimmed
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line.first != UInt8(ascii: "#") else {
      return nil
    }
    return line[..<colon]
  }
}
