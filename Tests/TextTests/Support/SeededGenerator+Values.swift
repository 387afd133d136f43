import TestSupport
import TextEdits
import Values

/// Values and texts that are determined by a seed, chosen so that near misses are frequent.
extension SeededGenerator {
  private static let scalars: [Unicode.Scalar] = [
    "a", "A", "b", "B", "z", "Z", "0", "0", "1", "2", "9", " ", "-", ":", "/", "é", "É", "e", "E", "\u{301}",
    "\u{327}", "ß", "s", "S", "й",
    "и", "И", "İ", "ı", "i",
    "I", "\u{0}", "\u{1}", "\u{1100}", "\u{1161}", "\u{11A8}", "가", "각", "漢", "字", "ﬁ", "f", "\u{345}",
    "\u{10FFFF}", "😀", "ς", "σ", "Σ",
  ]

  mutating func text() -> String {
    var text = ""
    for _ in 0..<below(8) { text.unicodeScalars.append(one(of: SeededGenerator.scalars)) }
    if below(12) == 0 { text = String(repeating: one(of: ["a", "0", "9", "é"]), count: below(80)) + text }
    return text
  }

  mutating func number() -> Number {
    switch below(6) {
    case 0:
      .integer(one(of: [0, 1, -1, 9, 10, 99, 100, .max, .min, .max - 1, 1 << 53, 1 << 53 + 1, 1 << 60]))
    case 1: .integer(Int(truncatingIfNeeded: next()) >> below(64))
    case 2:
      .double(
        one(of: [
          0, -0.0, 0.1, 0.5, -0.1, 1, 1e15, 1e16, 0x1p53, 0x1p60, 0x1p63, -0x1p63, 0x1p64, 1e23, 1e308,
          .leastNonzeroMagnitude, .infinity,
          -.infinity, .nan,
        ]))
    case 3: .double(Double(bitPattern: next()))
    case 4: .double(Double(below(2_000) - 1_000) / 100)
    default:
      .literal(
        one(of: [
          "9223372036854775808", "-9223372036854775809", "18446744073709551616", "100000000000000000000000",
          "99999999999999991611392",
          "1e400", "-1e400", "1e-400",
          "1.5e400", "15e399", "1e99999999999999999999", "-1e99999999999999999999",
          "12345678901234567890123456789",
        ]))
    }
  }

  mutating func date() -> Value {
    Value(
      text: one(of: [
        "2024-01-31", "2024-01-31T00:00Z", "2024-01-31 00:00", "2024-01-31T01:00+01:00",
        "2024-01-31T00:00:00.000000001Z",
        "2024-01-31T00:00:00.5Z", "1969-12-31T23:59:59Z",
        "0001-01-01", "9999-12-31", "2024-02-01",
      ]))
  }

  mutating func value(depth: Int = 3) -> Value? {
    switch below(depth > 0 ? 12 : 9) {
    case 0: nil
    case 1: .null
    case 2: .bool(below(2) == 0)
    case 3, 4: .number(number())
    case 5: date()
    case 6, 7, 8: .string(text())
    case 9, 10: .list((0..<below(4)).map { _ in value(depth: depth - 1) ?? .null })
    default:
      .map(
        Fields(
          unique: ["a", "b", "c"].shuffled(using: &self).prefix(below(3)).map {
            ($0, value(depth: depth - 1) ?? .null)
          }))
    }
  }
}
