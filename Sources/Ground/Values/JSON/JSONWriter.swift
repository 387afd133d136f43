/// Writes values as JSON (RFC 8259) on one line that is safe to print: control characters, DEL, C1, U+2028,
/// U+2029 and the characters that change the direction of text are escaped.
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

  package mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func raw(bytes text: [UInt8]) {
    bytes.append(contentsOf: text)
  }

  mutating func raw(bytes text: UnsafeRawBufferPointer) {
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
    string.withUTF8 { write(text: UnsafeRawBufferPointer($0)) }
  }

  mutating func write(text: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func separate(_ isFirst: inout Bool) {
    if !isFirst { raw(",") }
    isFirst = false
  }

  private mutating func appendEscaped(_ text: UnsafeRawBufferPointer) {
    var start = 0
    var index = 0
    while case let place = JSONWriter.endOfPlain(text, from: index), place < text.count {
      let length = JSONWriter.lengthToEscape(text, at: place)
      index = place + max(1, length)
      guard length > 0 else { continue }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<place]))
      appendEscape(of: text, at: place, length: length)
      start = index
    }
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
  }

  /// Returns the end of the bytes from `start` that need no escape: the place of the next byte that
  /// begins a character that may have to be escaped. Tests 16 bytes at once.
  private static func endOfPlain(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    typealias Block = SIMD16<UInt8>
    // Vectors on both sides: comparisons with a scalar, or by order, are not vectorised.
    let quote = Block(repeating: UInt8(ascii: "\""))
    let backslash = Block(repeating: UInt8(ascii: "\\"))
    let delete = Block(repeating: 0x7F)
    let c1 = Block(repeating: 0xC2)
    let general = Block(repeating: 0xE2)
    let aboveControls = Block(repeating: 0xE0)
    let zero = Block(repeating: 0)
    var index = start
    while index <= text.count - Block.scalarCount {
      let block = text.loadUnaligned(fromByteOffset: index, as: Block.self)
      let ascii =
        ((block & aboveControls) .== zero) .| (block .== quote) .| (block .== backslash) .| (block .== delete)
      let special = unsafeBitCast(ascii .| (block .== c1) .| (block .== general), to: SIMD2<UInt64>.self)
      if special[0] != 0 { return index + UInt64(littleEndian: special[0]).trailingZeroBitCount / 8 }
      if special[1] != 0 { return index + 8 + UInt64(littleEndian: special[1]).trailingZeroBitCount / 8 }
      index += Block.scalarCount
    }
    while index < text.count {
      switch text[index] {
      case 0..<0x20, "\"", "\\", 0x7F, 0xC2, 0xE2: return index
      default: index += 1
      }
    }
    return index
  }

  private static func lengthToEscape(_ text: UnsafeRawBufferPointer, at index: Int) -> Int {
    let rest = text.count - index
    switch text[index] {
    case 0..<0x20, "\"", "\\", 0x7F: return 1
    case 0xC2 where rest > 1: return text[index + 1] < 0xA0 ? 2 : 0  // C1: U+0080 ... U+009F
    case 0xE2 where rest > 2 && text[index + 1] == 0x80:
      switch text[index + 2] {
      // U+200B, marks of direction, separators, embedding controls
      case 0x8B, 0x8E, 0x8F, 0xA8...0xAE: return 3
      default: return 0
      }
    case 0xE2 where rest > 2 && text[index + 1] == 0x81:
      // U+2060 ... U+206F: invisible characters, isolating controls
      return (0xA0...0xAF).contains(text[index + 2]) ? 3 : 0
    default: return 0
    }
  }

  private mutating func appendEscape(of text: UnsafeRawBufferPointer, at index: Int, length: Int) {
    switch text[index] {
    case "\"": raw("\\\"")
    case "\\": raw("\\\\")
    case "\n": raw("\\n")
    case "\r": raw("\\r")
    case "\t": raw("\\t")
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

  package mutating func write(_ value: PackedValue) {
    value.bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      write(&reader)
    }
  }

  private mutating func write(_ reader: inout PackedReader) {
    switch reader.tag() {
    case .null: raw("null")
    case .false: write(false)
    case .true: write(true)
    case .integer: write(reader.integer())
    case .double: write(.double(Double(bitPattern: reader.fixed(UInt64.self))))
    case .literal: raw(bytes: reader.textBytes())
    case .date: write(text: reader.dateBytes())
    case .string: write(text: reader.textBytes())
    case .list: write(contentsOf: &reader, isMap: false)
    case .map: write(contentsOf: &reader, isMap: true)
    }
  }

  private mutating func write(contentsOf reader: inout PackedReader, isMap: Bool) {
    var inside = reader.contents()
    var isFirst = true
    raw(isMap ? "{" : "[")
    while !inside.isAtEnd {
      separate(&isFirst)
      if isMap {
        write(text: inside.textBytes())
        raw(":")
      }
      write(&inside)
    }
    raw(isMap ? "}" : "]")
  }
}
