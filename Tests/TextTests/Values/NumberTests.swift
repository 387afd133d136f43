import Testing
import Values

@Suite struct NumberTests {
  @Test func `numbers are equal if they are written the same way`() {
    #expect(Number.integer(1) != .double(1))
    #expect(Number.double(.nan) == .double(-.nan))
    #expect(Set([Number.double(.nan), .double(.nan)]).count == 1)
    #expect(Number.double(0) != .double(-0.0))
    #expect(Number.literal("12345678901234567890") != .literal("12345678901234567891"))
  }

  @Test func `descriptions are JSON numbers if JSON has the number`() {
    #expect(Number.integer(-7).description == "-7")
    #expect(Number.double(2.50).description == "2.5")
    #expect(Number.literal("1e400").description == "1e400")
    #expect(Number.double(.infinity).description == ".inf")
    #expect(Number.double(-.infinity).description == "-.inf")
    #expect(Number.double(.nan).description == ".nan")
  }

  @Test(arguments: [
    ("3", Number.integer(3)), ("-3", .integer(-3)), ("3.1", .double(3.1)), ("-0.0", .double(-0.0)),
    ("3.10", .literal("3.10")),
    ("-0", .literal("-0")), ("1e3", .literal("1e3")),
    ("9223372036854775808", .literal("9223372036854775808")),
  ])
  func `a number that is made from JSON text prints that text`(text: String, number: Number) {
    #expect(Number(json: text) == number)
    #expect(Number(json: text)?.description == text)
  }

  @Test(arguments: [
    "", "+1", ".5", "5.", "007", "0x1F", "0o17", ".inf", ".nan", " 1", "1 ", "1_0", "-", "1e", "١",
  ])
  func `text that is not a JSON number makes no number`(text: String) {
    #expect(Number(json: text) == nil)
  }

  @Test func `a literal equals the integer or the double that prints the same text`() {
    for (literal, other) in [("1", Number.integer(1)), ("1.5", .double(1.5)), ("1e+16", .double(1e16))] {
      #expect(Number.literal(literal) == other)
      #expect(Number.literal(literal).hashValue == other.hashValue)
      #expect(PackedValue(.number(.literal(literal))) == PackedValue(.number(other)))
    }
    #expect(Number.literal("3.10") != .double(3.1))
    #expect(Number.literal("1.0") != .integer(1))
  }

  @Test(arguments: [
    ("3.10", "3.1"), ("31e-1", "3.1"), ("1.0", "1"), ("-0", "0"), ("0e5", "0"), ("1e3", "1000"),
    ("1E+2", "100"), ("0.00001", "1e-05"),
    ("1e300", "1e+300"), ("1.00e+300", "1e+300"), ("12345678901234567890", "12345678901234567890"),
    ("1e19", "10000000000000000000"),
    ("10e399", "1e400"), ("1.50e-400", "1.5e-400"), ("9007199254740993", "9007199254740993"),
    ("-1.50", "-1.5"), ("2.50e1", "25"),
  ])
  func `one canonical number represents each value`(text: String, canonical: String) throws {
    let number = try #require(Number(json: text))
    let expected = try #require(Number(json: canonical))
    #expect(number.canonical.description == canonical)
    #expect(expected.canonical == expected)
    #expect(number.hasSameValue(as: expected))
  }

  @Test func `the double value is the nearest double`() {
    #expect(Number.integer(3).doubleValue == 3)
    #expect(Number.literal("18446744073709551616").doubleValue == 0x1p64)
    #expect(Number.literal("1e400").doubleValue == .infinity)
    #expect(Number.literal("-1e400").doubleValue == -.infinity)
  }
}
