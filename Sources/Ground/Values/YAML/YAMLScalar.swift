/// The meaning of a plain scalar in the core schema of YAML 1.2.2 (section 10.3.2).
enum YAMLScalar: Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  /// A JSON number that no `Int` or `Double` prints. It keeps the scalar's text.
  case written
  /// A number beyond `Int` and `Double` that is not written as in JSON, in the text that JSON uses.
  case literal([UInt8])
  /// Anything else, including octal and hexadecimal integers of more than 64 bits.
  case string

  init(plain text: UnsafeRawBufferPointer) {
    guard let first = text.first else {
      self = .null
      return
    }
    switch first {
    case "0"..."9", "-", "+", ".":
      self = YAMLScalar.number(text)
    case "~", "n", "N", "t", "T", "f", "F":
      self = YAMLScalar.word(text)
    default: self = .string
    }
  }

  private static func word(_ text: UnsafeRawBufferPointer) -> YAMLScalar {
    switch text.count {
    case 1: text.equals("~") ? .null : .string
    case 4 where text.equals("null") || text.equals("Null") || text.equals("NULL"): .null
    case 4 where text.equals("true") || text.equals("True") || text.equals("TRUE"): .bool(true)
    case 5 where text.equals("false") || text.equals("False") || text.equals("FALSE"): .bool(false)
    default: .string
    }
  }

  private static func number(_ text: UnsafeRawBufferPointer) -> YAMLScalar {
    guard let decimal = DecimalText(text) else { return special(text) }
    return YAMLScalar(decimal)
  }

  init(_ decimal: DecimalText) {
    if decimal.isInteger, let value = decimal.int {
      self = value == 0 && decimal.isNegative && decimal.isJSON ? .written : .integer(value)
    } else if decimal.isInteger {
      self = decimal.isJSON ? .written : .literal(decimal.json)
    } else if let value = decimal.simpleDouble {
      self = decimal.isSimpleCanonical ? .double(value) : .written
    } else {
      let value = decimal.double
      if !decimal.isJSON {
        self = value.isFinite ? .double(value) : .literal(decimal.json)
      } else {
        self = value.isFinite && decimal.isText(value.description) ? .double(value) : .written
      }
    }
  }

  private static func special(_ text: UnsafeRawBufferPointer) -> YAMLScalar {
    if text.count > 2, text[0] == "0" {
      if text[1] == "x" { return integer(text, radix: 16) }
      if text[1] == "o" { return integer(text, radix: 8) }
    }
    let isSigned = text.first == "-" || text.first == "+"
    let word = UnsafeRawBufferPointer(rebasing: text[(isSigned ? 1 : 0)...])
    if word.equals(".inf") || word.equals(".Inf") || word.equals(".INF") {
      return .double(text.first == "-" ? -.infinity : .infinity)
    }
    let isNaN = !isSigned && (word.equals(".nan") || word.equals(".NaN") || word.equals(".NAN"))
    return isNaN ? .double(.nan) : .string
  }

  private static func integer(_ text: UnsafeRawBufferPointer, radix: Int) -> YAMLScalar {
    var value = 0
    for byte in text.dropFirst(2) {
      let digit: Int
      switch byte {
      case "0"..."9": digit = Int(byte) - 0x30
      case "a"..."f": digit = Int(byte) - 0x57
      case "A"..."F": digit = Int(byte) - 0x37
      default: return .string
      }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: radix)
      let (sum, isTooLargeNow) = product.addingReportingOverflow(digit)
      guard digit < radix, !isTooLarge, !isTooLargeNow else { return .string }
      value = sum
    }
    return .integer(value)
  }
}

extension Value {
  init(_ scalar: YAMLScalar, text: UnsafeRawBufferPointer) {
    switch scalar {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .integer(let value): self = .number(.integer(value))
    case .double(let value): self = .number(.double(value))
    case .written: self = .number(.literal(String(decoding: text, as: UTF8.self)))
    case .literal(let json): self = .number(.literal(String(decoding: json, as: UTF8.self)))
    case .string: self = Value(text: String(decoding: text, as: UTF8.self))
    }
  }
}

extension PackedWriter {
  mutating func append(_ scalar: YAMLScalar, text: UnsafeRawBufferPointer) {
    switch scalar {
    case .null: appendNull()
    case .bool(let flag): append(flag)
    case .integer(let value): append(value)
    case .double(let value): append(value)
    case .written: append(literal: text)
    case .literal(let json): json.withUnsafeBytes { append(literal: $0) }
    case .string: append(string: text)
    }
  }
}

extension PackedBuilder {
  mutating func append(_ scalar: YAMLScalar, text: UnsafeRawBufferPointer) {
    write(PackedWriter.maxHeaderSize + text.count) { $0.append(scalar, text: text) }
  }
}
