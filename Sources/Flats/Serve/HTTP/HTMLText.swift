extension Sequence<UInt8> {
  /// The text for the content or a quoted attribute of an HTML element.
  ///
  /// Bytes are compared, not characters: a quotation mark before a combining mark is another
  /// character, but it still ends an attribute.
  var escapedForHTML: [UInt8] {
    var html: [UInt8] = []
    html.reserveCapacity(underestimatedCount)
    for byte in self {
      switch byte {
      case UInt8(ascii: "&"): html += "&amp;".utf8
      case UInt8(ascii: "<"): html += "&lt;".utf8
      case UInt8(ascii: ">"): html += "&gt;".utf8
      case UInt8(ascii: "\""): html += "&quot;".utf8
      case UInt8(ascii: "'"): html += "&#39;".utf8
      // Parsers replace a written carriage return by a line feed.
      case UInt8(ascii: "\r"): html += "&#13;".utf8
      default: html.append(byte)
      }
    }
    return html
  }
}
