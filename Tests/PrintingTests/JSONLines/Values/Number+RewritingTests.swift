import Streams
import TestSupport
import Testing
import Values

@Suite struct NumberRewritingTests {
  private func number(_ text: String) throws -> Number { try #require(Number(json: text)) }

  @Test(
    arguments: [
      // JavaScript, jq 1.6, Python, Ruby, Go, Rust, Java and C.
      ("3.10", ["3.1"]), ("1.0", ["1", "1.0"]), ("5.00", ["5", "5.0"]), ("100e-2", ["1", "1.0", "1.00"]),
      ("-2.50", ["-2.5"]),
      ("1e3", ["1000", "1000.0", "1E+3"]), ("1E5", ["100000", "100000.0", "1E+5"]),
      ("1.50e2", ["150", "150.0"]),
      ("12.0e1", ["120", "120.0"]),
      (
        "12345678901234567890",
        ["12345678901234567000", "12345678901234567168", "1.2345678901234567e+19", "1.2345678901234567E19"]
      ),
      ("12345678901234567890", ["12345678901234567000.0", "12345678901234567168.0"]),
      ("9007199254740993", ["9007199254740992"]),
      ("123456789012345678", ["123456789012345680", "123456789012345680.0", "1.2345678901234568e+17"]),
      ("-123456789012345678", ["-123456789012345680", "-123456789012345680.0"]),
      ("0.1000000000000000055", ["0.1", "0.10000000000000001"]), ("0.1", ["0.10000000000000001"]),
      ("1e16", ["10000000000000000", "1e+16", "10000000000000000.0", "1.0e+16", "1E16", "1.0E16"]),
      ("1e21", ["1e+21", "1000000000000000000000", "1E+21"]),
      ("1e-7", ["1e-07", "1e-7", "1.0e-07", "1E-7", "0.0000001"]),
      ("0.0000123", ["1.23e-05", "1.23e-5", "0.0000123", "1.23E-5"]),
      ("12345678.50", ["12345678.5", "1.23456785E7"]), ("0.00010", ["0.0001", "1.0E-4"]),
      ("1E400", ["1.7976931348623157e+308", "1.7976931348623157e308", "1E+400"]),
      ("-1e999", ["-1.7976931348623157e+308"]),
      ("-0", ["0", "-0.0", "-0"]), ("-0.0", ["0", "-0"]), ("0.00", ["0", "0.0"]), ("0e5", ["0", "0.0"]),
      ("1e-400", ["0", "0.0", "1E-400"]),
      ("100000000000000000000000", ["1e+23", "100000000000000000000000", "99999999999999991611392"]),
    ] as [(String, [String])])
  func `a number that a program printed in its own way is the same number`(text: String, printed: [String])
    throws
  {
    #expect(!printed.isEmpty)
    for other in printed { #expect(try number(text).isRewritten(as: number(other)), "\(text) \(other)") }
  }

  @Test(arguments: [
    ("3.1", ["3.10", "3.100", "31e-1", "3.11", "3", "-3.1", "0.31e1"]),
    ("5", ["5.0", "5e0", "6", "-5", "50"]), ("0", ["-0", "0.0", "1"]),
    ("0.0", ["-0", "-0.0", "0.00", "0e0"]), ("1000", ["1e3", "1000.0", "1E+3"]),
    ("1e3", ["1e+3", "1.0e3", "1e03", "10e2", "1001", "1000.00"]),
    ("3.10", ["3.100", "3.11", "3.1e0"]), ("9007199254740992", ["9007199254740993", "9007199254740992.0"]),
    ("1.5", ["1.50"]),
    ("12345678901234567890", ["12345678901234567891", "12345678901234567880", "12345678901234567000.00"]),
    ("1e-400", ["1", "-0"]),
    ("0.1", ["0.10", "1e-1"]), ("1E400", ["1e308", "-1.7976931348623157e+308", "1"]),
  ])
  func `a number that no program prints that way is an edit`(text: String, edited: [String]) throws {
    #expect(!edited.isEmpty)
    for other in edited { #expect(try !number(text).isRewritten(as: number(other)), "\(text) \(other)") }
  }

  @Test func `the nearest double of any number is that number, printed in another way`() throws {
    var count = 0
    for seed in Randomness.seeds(400) {
      var random = SeededGenerator(seed: seed)
      let digits = (0...random.below(25)).map { _ in String(random.below(10)) }.joined()
      let whole = String(1 + random.below(9)) + (random.oneIn(2) ? digits : "")
      let text =
        (random.oneIn(3) ? "-" : "") + whole + "." + digits
        + (random.oneIn(2) ? "e\(random.below(60) - 30)" : "")
      let own = try number(text)
      #expect(own.isRewritten(as: .double(own.doubleValue)), "\(text) \(seedNote(seed))")
      let next = own.doubleValue.nextUp
      #expect(!own.isRewritten(as: .double(next)), "\(text) \(seedNote(seed))")
      count += 1
    }
    #expect(count > 0)
  }
}
