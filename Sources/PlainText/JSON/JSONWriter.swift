/// Writes values as JSON (RFC 8259) on one line that is safe to print.
///
/// Control characters, DEL, C1, U+2028 and U+2029 are escaped, and so are the characters that
/// change the direction of text.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  /// The number of numbers that were written as strings, because JSON does not have them.
  package private(set) var nonFiniteCount = 0

  package init() {}

  package static func text(of value: Value) -> String {
    var writer = JSONWriter()
    writer.write(value)
    return writer.text
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends a literal part of the syntax, such as `{` or `,`.
  package mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends JSON text that was written before.
  package mutating func raw(bytes text: [UInt8]) {
    bytes.append(contentsOf: text)
  }

  package mutating func write(_ value: Value) {
    switch value {
    case .null: raw("null")
    case .bool(let flag): write(flag)
    case .number(let number): write(number)
    case .date(let date): write(date.text)
    case .string(let string): write(string)
    case .list(let elements):
      raw("[")
      var isFirst = true
      for element in elements {
        separate(&isFirst)
        write(element)
      }
      raw("]")
    case .map(let fields):
      raw("{")
      var isFirst = true
      for (key, value) in fields {
        separate(&isFirst)
        write(key)
        raw(":")
        write(value)
      }
      raw("}")
    }
  }

  package mutating func write(_ flag: Bool) { raw(flag ? "true" : "false") }
  package mutating func write(_ integer: Int) { bytes.append(contentsOf: integer.description.utf8) }

  /// Appends a number. A number that JSON does not have becomes a string.
  package mutating func write(_ number: Number) {
    guard number.isFinite else {
      nonFiniteCount += 1
      return write(number.description)
    }
    bytes.append(contentsOf: number.description.utf8)
  }

  package mutating func write(_ string: String) {
    var string = string
    bytes.append(UInt8(ascii: "\""))
    string.withUTF8 { appendEscaped($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a comma, except before the first element of a list or map.
  package mutating func separate(_ isFirst: inout Bool) {
    if !isFirst { raw(",") }
    isFirst = false
  }

  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < text.count {
      let length = JSONWriter.lengthToEscape(text, at: index)
      guard length > 0 else {
        index += 1
        continue
      }
      bytes.append(contentsOf: text[start..<index])
      appendEscape(of: text, at: index, length: length)
      index += length
      start = index
    }
    bytes.append(contentsOf: text[start...])
  }

  /// Returns the length in bytes of a character that must be escaped; 0 for any other byte.
  private static func lengthToEscape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    switch text[index] {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: return 1
    case 0xC2: return text[index + 1] < 0xA0 ? 2 : 0  // C1: U+0080 ... U+009F
    case 0xE2 where text[index + 1] == 0x80:  // U+2028 ... U+202E: separators and the embedding controls
      return (0xA8...0xAE).contains(text[index + 2]) ? 3 : 0
    case 0xE2 where text[index + 1] == 0x81:  // U+2066 ... U+2069: the isolating controls
      return (0xA6...0xA9).contains(text[index + 2]) ? 3 : 0
    default: return 0
    }
  }

  private mutating func appendEscape(of text: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) {
    switch text[index] {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case UInt8(ascii: "\n"): raw("\\n")
    case UInt8(ascii: "\r"): raw("\\r")
    case UInt8(ascii: "\t"): raw("\\t")
    default:
      let unit: Int =
        switch length {
        case 1: Int(text[index])
        case 2: Int(text[index + 1])
        default: 0x2000 | Int(text[index + 1] & 0x3F) << 6 | Int(text[index + 2] & 0x3F)
        }
      raw("\\u")
      for shift in stride(from: 12, through: 0, by: -4) {
        bytes.append(JSONWriter.hexDigits[unit >> shift & 0xF])
      }
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
