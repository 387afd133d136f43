import Testing
import Values

@Suite struct YAMLProblemTests {
  @Test(
    arguments: [
      ("a: b: c", "1:5", "Put quotes"), ("a: [1, 2", "1:4", "missing `]`"),
      ("b: 1\na: {x: 1", "2:4", "missing `}`"),
      ("b: 1\na: \"text\nmore", "2:4", "not closed"), ("a: 'text", "1:4", "not closed"),
      (
        "a: [1, 2\nb: 3\n", "2:2",
        "`]` was expected here in a list in brackets. It begins at line 1, column 4"
      ),
      ("a:\n\t- b", "2:1", "tab"), ("a:\n  b: 1\n c: 2", "3:2", "indentation"), ("a: 1\nb\nc: 2", "3:1", ""),
      ("a: @x", "1:4", "quotes"),
      ("a: `x`", "1:4", "quotes"),
      ("a: %x", "1:4", "quotes"), ("a: \"\\q\"", "1:5", "escape"),
      ("a: \"\\xZZ\"", "1:7", "hexadecimal"),
      ("a: \"\\ud83d\\ude00\"", "1:7", "not a character"),
      ("a: &", "1:5", "letters, digits"), ("a: *", "1:5", "letters, digits"),
      ("a: |x\n  b", "1:5", "can follow | or >"),
      ("a: !x{ 1", "1:6", ""),
      ("%FOO\n---\na: 1", "1:5", "begins with %"),
      ("%YAML 3.0\n---\na: 1", "1:1", "%YAML 1.2"), ("- a\nb: 1", "2:1", "list element"),
      ("a: - b", "1:4", "list element"),
      ("a: 1\n- b", "2:1", ""), ("]", "1:1", "value"),
      ("{a: 1]", "1:6", "`}`"), ("[a}", "1:3", "`]`"), ("a: \"x\n---\ny\"", "2:1", "inside quotes"),
      ("é: 1\ncafé: ]", "2:7", "value"),
      ("a: 1\r\nb: ]", "2:4", "value"),
    ] as [(String, String, String)])
  func `each error has a place and a sentence`(_ text: String, _ expectedPlace: String, _ part: String) {
    let error = failure(text)
    #expect(
      error.map { "\($0.line):\($0.column)" } == expectedPlace, "\(text): \(error?.description ?? "read")")
    #expect(error?.message.contains(part) == true || part.isEmpty, "\(text): \(error?.description ?? "read")")
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test(arguments: [
    ("a: [", "1:4", "missing `]`"), ("a: [\n", "1:4", "missing `]`"),
    ("b: 1\na: {\n\n", "2:4", "missing `}`"),
    ("a: [1, {b: ", "1:8", "missing `}`"), ("a: [1,\n", "1:4", "missing `]`"),
    ("é: [[\n", "1:5", "missing `]`"),
  ])
  func `a list or map that is open at the end is reported where it begins`(
    text: String, place: String, part: String
  ) {
    let error = failure(text)
    #expect(error.map { "\($0.line):\($0.column)" } == place, "\(text)")
    #expect(error?.message.contains(part) == true, "\(text): \(error?.message ?? "read")")
  }

  @Test(arguments: [TextFormat.yaml, .json])
  func `no problem has a place below the last line`(format: TextFormat) {
    let text =
      format == .yaml
      ? "a: [b, {c: \"d\", e: 'f'}]\ng: &h\n  - i\n  - ? j\n    : *h\nk: |\n  l\n%m\n"
      : "{\"a\": [1, {\"b\": \"c\\n\"}, true]}"
    var cases = 0
    for length in 0...text.count {
      for end in ["\n", "\n\n", "  \n"] {
        let part = text.prefix(length) + end
        guard let error = failure(String(part), as: format) else { continue }
        #expect(error.line <= part.count { $0 == "\n" }, "\(part): \(error)")
        cases += 1
      }
    }
    #expect(cases > 0)
  }

  @Test func `a character that YAML does not allow is reported`() {
    #expect(failure("a: 1\nb: é\u{0}")?.description.hasPrefix("2:5: A NUL character") == true)
    #expect(
      failure("a: é\u{1B}[0m")?.description.hasPrefix("1:5: The character U+001B is not allowed") == true)
    #expect(failure("a: \u{FFFF}")?.description.hasPrefix("1:4: The character U+FFFF") == true)
    #expect(failure("a: \"\u{7F}\"")?.description.hasPrefix("1:5: The character U+007F") == true)
  }

  @Test func `a key of more than 1,024 characters is a problem`() {
    #expect(failure(String(repeating: "k", count: 1_000) + ": 1") == nil)
    #expect(
      failure(String(repeating: "k", count: 2_000) + ": 1")?.message.contains("1,024 characters") == true)
  }
}
