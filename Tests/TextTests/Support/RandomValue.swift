import TestSupport
import Values

/// Values of all kinds that JSON has, small and nested.
enum RandomValue {
  private static let strings = [
    "", "a", "note 10", "café", "cafe\u{301}", "😀", "\u{0}", "\u{1B}[0m", "\"\\/", "\r\n", "true", "null",
    "12", "0x1F", "<<", "- a",
    "2024-01-31",
    "2024-01-31T10:00:00Z", "\u{2028}", "\u{9B}", "a long string with words in it, and some more of them",
  ]
  private static let numbers: [Number] = [
    .integer(0), .integer(-1), .integer(.max), .integer(.min), .double(0.1), .double(-1.5e300),
    .double(.leastNonzeroMagnitude),
    .literal("12345678901234567890"),
    .literal("-9223372036854775809"), .literal("1e400"),
  ]

  static func make(depth: Int = 4, using generator: inout SeededGenerator) -> Value {
    switch generator.below(depth > 0 ? 9 : 6) {
    case 0: return .null
    case 1: return .bool(generator.oneIn(2))
    case 2: return .number(generator.one(of: numbers))
    case 3: return .number(.integer(Int(truncatingIfNeeded: generator.next()) >> generator.below(64)))
    case 4, 5: return Value(text: generator.one(of: strings))
    case 6: return .list((0..<generator.below(5)).map { _ in make(depth: depth - 1, using: &generator) })
    default:
      var fields = Fields()
      for _ in 0..<generator.below(25) {
        fields[generator.one(of: strings) + (generator.oneIn(2) ? String(generator.below(30)) : "")] = make(
          depth: depth - 2, using: &generator)
      }
      return .map(fields)
    }
  }
}
