import Store

/// Writes HTML. Markup is always a literal of the program, and everything else is text: nothing of
/// an item or a request can become markup.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  mutating func markup(_ literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends a text on one line, cut at a width of `limit` columns. Characters that control a terminal or the
  /// direction of text are visible as escapes.
  mutating func text(_ text: String, limit: Int = .max) { escape(DisplayText.safe(text, limit: limit).utf8) }

  /// Appends a text with its line breaks.
  mutating func lines(_ text: [UInt8]) { escape(DisplayText.safeLines(text)) }

  /// Appends ` NAME="VALUE"`. The value stays as it is, because forms send it back.
  mutating func attribute(_ name: StaticString, _ value: String) {
    markup(" ")
    markup(name)
    markup("=\"")
    escape(value.utf8)
    markup("\"")
  }

  mutating func element(_ name: StaticString, _ text: String) {
    open(name)
    self.text(text)
    close(name)
  }

  mutating func link(_ text: String, to address: String, relation: String? = nil) {
    markup("<a")
    attribute("href", address)
    if let relation { attribute("rel", relation) }
    markup(">")
    self.text(text)
    markup("</a>")
  }

  mutating func open(_ name: StaticString) {
    markup("<")
    markup(name)
    markup(">")
  }

  /// Appends the end of an element, and a line break.
  mutating func close(_ name: StaticString) {
    markup("</")
    markup(name)
    markup(">\n")
  }

  private mutating func escape(_ text: some Sequence<UInt8>) { bytes += text.escapedForHTML }
}

extension Sequence<UInt8> {
  /// The text for the content or a quoted attribute of an element. Bytes are compared, not characters: a
  /// quotation mark before a combining mark is another character, but it still ends an attribute.
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
