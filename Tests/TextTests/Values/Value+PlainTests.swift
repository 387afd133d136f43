import Testing
import Values

@Suite struct ValuePlainTests {
  /// Compares with the value of the same text as a complete YAML document.
  @Test(arguments: [
    "8", "-0", "1.50", "5.", "1E5", "100000000000000000000", ".5", "1e3", "0x1F", "0o17", "010", "true",
    "FALSE", "null", "~", "Null", "no",
    "2024-01-31", ".inf", "-.INF",
    ".nan", "1_000", "a b",
  ])
  func `a plain scalar has the value that YAML gives it`(text: String) throws {
    #expect(Value(plain: text) == (try PackedValue(reading: text, as: .yaml).value), "\(text)")
  }

  @Test(arguments: ["", " 8", "8\n", "[1]", "{a: 1}", "\"8\"", "'8'", "# c", "&a", "a: b", "- a", "\u{0}"])
  func `a plain scalar may contain the characters of YAML syntax`(text: String) {
    #expect(Value(plain: text) == .string(text))
  }
}
