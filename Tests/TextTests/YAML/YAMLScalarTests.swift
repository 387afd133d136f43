import Testing

@testable import Values

@Suite struct YAMLScalarTests {
  private func scalar(_ text: String) -> YAMLScalar {
    Array(text.utf8).withUnsafeBytes { YAMLScalar(plain: $0) }
  }

  @Test func `nulls and booleans have a few spellings`() {
    #expect(["", "~", "null", "Null", "NULL"].allSatisfy { scalar($0) == .null })
    #expect(["true", "True", "TRUE"].allSatisfy { scalar($0) == .bool(true) })
    #expect(["false", "False", "FALSE"].allSatisfy { scalar($0) == .bool(false) })
  }

  @Test(arguments: [
    ("0", 0), ("12", 12), ("-12", -12), ("+12", 12), ("010", 10), ("-00", 0), ("+00", 0), ("0o14", 12),
    ("0x1f", 31), ("0xFF", 255),
    ("9223372036854775807", .max), ("-9223372036854775808", .min), ("0x7fffffffffffffff", .max),
    ("0o777777777777777777777", .max),
  ])
  func `an integer has its value`(_ text: String, _ value: Int) {
    #expect(scalar(text) == .integer(value))
  }

  @Test(arguments: [
    ("1.5", 1.5), ("1.", 1), (".5", 0.5), ("-.5", -0.5), ("+1.5e3", 1500), ("+1e3", 1000), ("+1E-3", 0.001),
    ("010.50", 10.5),
    ("-0.0", -0.0),
    ("+1e-400", 0), ("1e+16", 1e16), ("1e-05", 1e-05), ("0.0001", 0.0001), ("5e-324", .leastNonzeroMagnitude),
    ("1000000000000000.5", 1000000000000000.5),
    (".inf", .infinity), (".Inf", .infinity), ("+.INF", .infinity), ("-.inf", -.infinity), ("00e9999", 0),
  ])
  func `a float has its value`(_ text: String, _ value: Double) {
    #expect(scalar(text) == .double(value))
  }

  @Test func `three spellings are not a number`() {
    for text in [".nan", ".NaN", ".NAN"] {
      guard case .double(let value) = scalar(text), value.isNaN else {
        Issue.record("\(text) should be no number")
        continue
      }
    }
  }

  @Test(arguments: [
    ("+0012345678901234567890", "12345678901234567890"), ("+1e400", "1e400"), ("-.5E+999", "-0.5E+999"),
    ("+01.e999", "1e999"),
  ])
  func `a number beyond the range keeps its digits as JSON`(_ text: String, _ json: String) {
    #expect(scalar(text) == .literal(Array(json.utf8)))
  }

  @Test(arguments: [
    "-0", "1e3", "1E-3", "3.10", "1.00", "0.00001", "12345678901234567890", "-9223372036854775809", "1e400",
    "1e-400", "0e9999", "1e16",
    "0.1000000000000000055", "9007199254740993.0", "1000000000000000.25", "123456789012345678.5",
  ])
  func `a JSON number that prints in another way keeps its text`(text: String) {
    #expect(scalar(text) == .written)
  }

  @Test(arguments: [
    "no", "yes", "on", "off", "y", "n", "nULL", "tRUE", "nan", "inf", "infinity", "NaN", "0x1p3", "0x", "0o",
    "0o8", "0xg", "-0x1", "+0o7",
    "1_000", "1:30",
    "0x10000000000000000", "0o7777777777777777777777", "-", "+", ".", "-.", "+.nan", "1e", "1e+", "e5", "--1",
    "1.2.3", "1 2", "0b11",
    ".e5", "1,5", "٣", "½",
  ])
  func `everything else is a string`(_ text: String) {
    #expect(scalar(text) == .string)
  }
}
