import Git
import TestSupport
import Testing
import Values

@Suite struct FieldLinesTests {
  private func lines(_ text: String, as format: TextFormat = .yaml) -> String? {
    FieldLines.lines(of: Array(text.utf8), as: format).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `each field is a line`() {
    #expect(
      lines(
        "name: Ada # who\naddress: {city: Paris, zip: '010'}\ntags: [a, b]\nnone:\nempty: []\nm: {}\nyes: no\nn: 0x10\nd: 2024-01-31\n"
      )
        == "name: Ada\naddress.city: Paris\naddress.zip: \"010\"\ntags[]: a\ntags[]: b\nnone: null\nempty: []\nm: {}\nyes: \"no\"\nn: 16\nd: 2024-01-31\n"
    )
    #expect(lines("l:\n- {a: 1, b: 2}\n- [x, [z]]\n") == "l[].a: 1\nl[].b: 2\nl[][]: x\nl[][][]: z\n")
    #expect(
      lines("{\"a.b\": 1, \"\": 2, \"two words\": 3}", as: .json) == "\"a.b\": 1\n\"\": 2\n\"two words\": 3\n"
    )
    #expect(lines("---\nt: 1\n---\nOne\n\nTwo\n", as: .markdown) == "t: 1\nbody:\n  One\n\n  Two\n")
    #expect(
      lines("t: \"a\\nb\"\ne: \"\\e[31m\"\nm: \"x\\n\\e[0m\\n\"\n")
        == "t: -\n  a\n  b\ne: \"\\x1B[31m\"\nm:\n  x\n  \\u{1b}[0m\n")
  }

  @Test(arguments: [("a: [\n", TextFormat.yaml), ("- a\n", .yaml), ("", .yaml), ("x", .json)])
  func `a text that is not an item has no lines`(text: String, format: TextFormat) {
    #expect(lines(text, as: format) == nil)
  }

  @Test func `lines are equal if and only if the values are equal`() throws {
    for number in 0..<5 {
      let texts = [
        "a: \(number)\n", "a: '\(number)'\n", "a: [\(number)]\n", "a: {b: \(number)}\n", "a: null\n",
        "a: 'null'\n", "a: \"\\n\"\n",
        "a: ''\n",
      ]
      #expect(Set(texts.compactMap { lines($0) }).count == texts.count)
    }
    #expect(lines("{a: 1,   b: 'x'}\n") == lines("a: 1\nb: x # c\n"))
  }

  /// A long key would be repeated in the line of each field below it.
  @Test func `an item with a long key above many fields has no lines`() {
    let fields = (0..<2_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let key = String(repeating: "x", count: 100_000)
    #expect(lines("{\"\(key)\":{\(fields)}}", as: .json) == nil)
    #expect(lines("{\"x\":{\(fields)}}", as: .json)?.split(separator: "\n").count == 2_000)
  }
}
