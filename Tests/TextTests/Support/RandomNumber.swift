import TestSupport
import Values

/// Texts of numbers: in JSON's syntax, and in syntax that only YAML has.
enum RandomNumber {
  private static let special = [
    "0", "-0", "0.0", "-0.0", "3.1", "3.10", "1.0", "1.00", "1e3", "1E3", "1e+3", "1000", "1000.0", "1e16",
    "1e+16", "1e-05", "0.00001",
    "0.0001", "1e400", "-1e400", "1E+400", "10e399", "1e-400", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808",
    "9007199254740993", "9007199254740993.0", "9007199254740992.0", "1e22", "1e23", "5e-324",
    "1.7976931348623157e308", "1.8e308",
    "0.1", "0.10000000000000000555", "123456789012345.6", "1234567890123456.7", "0e0", "-0e-0",
    "1e-2147483649", "1e99999999999999999999",
  ]

  /// Returns a number that RFC 8259 allows.
  static func json(using generator: inout SeededGenerator) -> String {
    if generator.oneIn(4) { return generator.one(of: special) }
    let whole =
      generator.oneIn(4)
      ? "0"
      : String(1 + generator.below(9)) + digits(generator.oneIn(20) ? 99 : generator.below(4), &generator)
    let fraction =
      generator.oneIn(2) ? "" : "." + digits(1 + generator.below(generator.oneIn(10) ? 30 : 4), &generator)
    let exponent =
      generator.oneIn(3)
      ? generator.one(of: ["e", "E"]) + generator.one(of: ["", "+", "-"])
        + digits(1 + generator.below(3), &generator) : ""
    return (generator.oneIn(3) ? "-" : "") + whole + fraction + exponent
  }

  /// Returns a number of YAML's core schema that JSON does not have.
  static func yamlOnly(using generator: inout SeededGenerator) -> String {
    let small = String(generator.below(500))
    return generator.one(of: [
      ".\(small)", "-.\(small)e2", "\(small).", "+\(small)", "+\(small).50", "0\(small)", "-00\(small).5",
      "0x\(String(generator.below(4096), radix: 16))",
      "0o\(String(generator.below(4096), radix: 8))", "+1e\(small)", "+\(digits(30, &generator))",
    ])
  }

  private static func digits(_ count: Int, _ generator: inout SeededGenerator) -> String {
    (0..<count).map { _ in generator.oneIn(3) ? "0" : String(generator.below(10)) }.joined()
  }
}
