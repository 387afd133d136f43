import Testing
import Values

/// Texts that RFC 8259 accepts or refuses, many of them from Nicolas Seriot's "Parsing JSON is a
/// Minefield".
@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("[]", "[]"), ("{}", "{}"), (" [ 1 , 2 ]\r\n\t", "[1,2]"), ("null", "null"), ("true", "true"),
      ("\"\"", #""""#), ("0", "0"),
      ("-0", "-0"), ("-0.0", "-0.0"),
      ("1E+2", "1E+2"), ("0e+1", "0e+1"), ("123.456e-789", "123.456e-789"), ("[1e400]", "[1e400]"),
      ("[-1e400]", "[-1e400]"),
      ("12345678901234567890", "12345678901234567890"),
      ("-9223372036854775808", "-9223372036854775808"),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", #""\"\\/\u0008\u000c\n\r\t""#),
      ("\"\\u0000\"", #""\u0000""#),
      ("\"\\ud83d\\uDE00\"", #""😀""#), ("\"\\u00e9\\uFFFF\"", "\"é\u{FFFF}\""), ("\"\u{7F}\"", #""\u007f""#),
      ("{\"a\":{\"a\":[{}]}}", #"{"a":{"a":[{}]}}"#),
      ("{\"\":0}", #"{"":0}"#), ("[\"2024-01-31\"]", #"["2024-01-31"]"#),
      ("{\"<<\":{\"a\":1}}", #"{"<<":{"a":1}}"#),
      ("\"a\u{2028}b\"", #""a\u2028b""#),
    ] as [(String, String)])
  func `valid JSON is accepted`(_ text: String, _ expected: String) throws {
    #expect(try json(text, as: .json) == expected)
  }

  @Test(
    arguments: [
      ("", "1:1", "contains no value"), ("  \n", "1:1", "contains no value"),
      ("[1,]", "1:3", "does not allow a comma"),
      ("{\"a\":1,}", "1:7", "does not allow a comma"),
      ("[1,,2]", "1:4", "value is missing"),
      ("[,1]", "1:2", "value is missing"), ("[1 2]", "1:4", "`,` or `]`"), ("{\"a\" 1}", "1:6", "`:`"),
      ("{\"a\":1 \"b\":2}", "1:8", "`,` or `}`"), ("{a:1}", "1:2", "double quotes"),
      ("{1:1}", "1:2", "double quotes"), ("{'a':1}", "1:2", "double quotes"),
      ("['a']", "1:2", "single quotes"),
      ("[01]", "1:2", "leading zeros"), ("[-01]", "1:2", "leading zeros"),
      ("[00]", "1:2", "leading zeros"), ("[+1]", "1:2", "`+`"), ("[.5]", "1:2", "0 before"),
      ("[1.]", "1:4", "after the point"),
      ("[1.e5]", "1:4", "after the point"),
      ("[-]", "1:3", "digit"), ("[1e]", "1:4", "exponent"), ("[1e+]", "1:5", "exponent"),
      ("[0x1]", "1:3", "`,` or `]`"),
      ("[1_000]", "1:3", "`,` or `]`"), ("[NaN]", "1:2", "NaN"),
      ("[Infinity]", "1:2", "Infinity"), ("[-Infinity]", "1:3", "digit"), ("[True]", "1:2", "lower case"),
      ("[nul]", "1:2", "not a JSON value"),
      ("[truee]", "1:2", "not a JSON value"),
      ("// c\n{}", "1:1", "no comments"), ("{} # c", "1:4", "More text"), ("[1 /* c */]", "1:4", ""),
      ("[] []", "1:4", "More text"),
      ("{}}", "1:3", "More text"), ("1 2", "1:3", "More text"),
      ("[1", "1:3", "list is not closed"), ("{\"a\":1", "1:7", "map is not closed"), ("{\"a\"", "1:5", "`:`"),
      ("{\"a\":", "1:6", "ends where a value"), ("{", "1:2", "map is not closed"),
      ("[", "1:2", "ends where"), ("\"abc", "1:1", "not closed"), ("\"abc\\\"", "1:1", "not closed"),
      ("\"\\", "1:1", "not closed"),
      ("\"a\nb\"", "1:3", "control character"),
      ("\"a\tb\"", "1:3", "control character"), ("\"\u{0}\"", "1:2", "control character"),
      ("[\"\\x41\"]", "1:3", "escape does not exist"),
      ("[\"\\u12\"]", "1:3", "hexadecimal digits. Write four"),
      ("[\"\\u12G4\"]", "1:3", "hexadecimal digits. Write four"), ("[\"é\\uD83D\"]", "1:4", "surrogate"),
      ("[\"\\uDE00\"]", "1:3", "surrogate"),
      ("[\"\\uD83Dx\"]", "1:3", "surrogate"),
      ("[\"\\uD83D\\u0041\"]", "1:3", "surrogate"), ("[\"\\uD83D\\n\"]", "1:3", "surrogate"),
      ("{\"a\":1,\n\"b\":2,\n\"a\":3}", "3:1", "first at line 1, column 2"),
      ("{\"a\":1,\"\\u0061\":2}", "1:8", "`a` appears twice"), ("[}", "1:2", "closing bracket"),
      ("{]", "1:2", "double quotes"),
      ("[1}", "1:3", "`,` or `]`"), ("\u{A0}[]", "1:1", ""),
      ("[\u{0C}1]", "1:2", ""), ("a: 1", "1:1", "not a JSON value"), ("---\n", "1:2", "digit"),
      ("{\"a\":1,,}", "1:8", "double quotes"),
    ] as [(String, String, String)])
  func `invalid JSON is refused at its place with a reason`(
    _ text: String, _ expectedPlace: String, _ part: String
  ) {
    let error = failure(text, as: .json)
    #expect(
      error.map { "\($0.line):\($0.column)" } == expectedPlace, "\(text): \(error?.description ?? "read")")
    #expect(error?.message.contains(part) == true || part.isEmpty, "\(text): \(error?.description ?? "read")")
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test func `keys that look alike are different keys`() throws {
    #expect(
      try read("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}", as: .json)
        == .map(["caf\u{E9}": .number(.integer(1)), "cafe\u{301}": .number(.integer(2))]))
  }

  @Test func `many keys are read in linear time`() throws {
    let count = 100_000
    let keys = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    #expect(
      try PackedValue(reading: "{\(keys)}", as: .json).value(at: FieldPath(keys: ["k99999"]))
        == .number(.integer(99_999)))
    #expect(failure("{\(keys),\"k5\":1}", as: .json)?.message.contains("`k5` appears twice") == true)
  }
}
