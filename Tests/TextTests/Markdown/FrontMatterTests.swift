import Testing
import Values

@Suite struct FrontMatterTests {
  @Test(arguments: [
    ("---\na: 1\n---\nHello\n", #"{"a":1,"body":"Hello\n"}"#),
    ("---\na: 1\n...\nHello", #"{"a":1,"body":"Hello"}"#),
    ("---\r\na: 1\r\n---\r\nHello\r\n", #"{"a":1,"body":"Hello\r\n"}"#),
    ("---\na: 1\n---", #"{"a":1,"body":""}"#), ("---\n---\nx", #"{"body":"x"}"#),
    ("---\n# only a comment\n\n---\nx", #"{"body":"x"}"#),
    ("---  \na: 1\n--- \t\nx", #"{"a":1,"body":"x"}"#),
    ("---\na: 1\n---\n\n---\nb\n---\n", #"{"a":1,"body":"\n---\nb\n---\n"}"#),
    ("---\na: 1\n---\n  x  \n\n", #"{"a":1,"body":"  x  \n\n"}"#), ("---\n{}\n---\nx", #"{"body":"x"}"#),
    ("---\na: |\n  ---\n  b\n---\nx", #"{"a":"---\nb\n","body":"x"}"#),
    ("---\na: é\n---\né", #"{"a":"é","body":"é"}"#),
    ("---\ra: 1\r---\rx", #"{"a":1,"body":"x"}"#),
    ("---\na: 1\n---\n2024-01-31", #"{"a":1,"body":"2024-01-31"}"#),
  ])
  func `a page has the fields of its front matter and a body`(_ text: String, _ expected: String) throws {
    #expect(try json(text, as: .markdown) == expected)
    #expect(itemFailure(text, as: .markdown) == nil)
  }

  @Test(arguments: [
    "", "Hello\n", "# Title\n", "---\nA thematic break, and no second line of dashes\n", "---", "--- \n",
    "----\na: 1\n----\n",
    " ---\na: 1\n---\n", "\n---\na: 1\n---\n",
    "--- # x\na: 1\n---\n", "---yaml\na: 1\n---\n", "- a\n", "a: b: c: [", "\u{1B}[31m",
  ])
  func `a page without front matter has only a body`(_ text: String) throws {
    #expect(try read(text, as: .markdown) == .map(["body": Value(text: text)]))
  }

  /// Reading such a page as text would lose its fields.
  @Test(arguments: [
    "---\ntitle: x\n", "---\ntitle: x\n\nText\n", "---\nlast-seen:\n  at: home\n", "---\r\ntitle: x\r\n",
    "---\ntitle: x\n----\n",
    "---\né: x\n-- -\n",
    "\u{FEFF}---\ntitle: x\n",
  ])
  func `front matter without an end line is a problem`(_ text: String) {
    let failure = itemFailure(text, as: .markdown)
    #expect(failure.map { [$0.line, $0.column] } == [1, 1])
    #expect(failure?.message.contains("`---`") == true, "\(failure?.message ?? "read")")
  }

  @Test(arguments: [
    "---\n\ntitle: x\n", "---\nTo all: this\n* * *\n", "---\nhttp://x\n", "---\n: x\n", "---\n",
  ])
  func `a line of dashes alone is text`(_ text: String) throws {
    #expect(try readItem(text, as: .markdown) == .map(["body": Value(text: text)]))
  }

  @Test func `errors have the line numbers of the file`() {
    #expect(place("---\na: 1\nb: ]\n---\nx", as: .markdown) == "3:4")
    #expect(place("\u{FEFF}---\r\né: 1\r\nb: é: ]\r\n---\r\n", as: .markdown) == "3:5")
    #expect(place("---\na: 1\na: 2\n---\n", as: .markdown) == "3:1")
    #expect(
      failure("---\na: 1\na: 2\n---\n", as: .markdown)?.message.contains("first at line 2, column 1") == true)
    #expect(place("---\na: [1\n---\n", as: .markdown) == "2:4")
    #expect(place("---\na: 1\n--- b\nc: 1\n---\n", as: .markdown) == "3:1")
    #expect(place("---\n\n- a\n---\nx", as: .markdown) == "3:1")
    #expect(place("---\na: \u{1}\n---\nx", as: .markdown) == "2:4")
  }

  @Test func `front matter must be a map`() {
    #expect(failure("---\n- a\n---\n", as: .markdown)?.message.contains("is a list") == true)
    #expect(failure("---\njust text\n---\n", as: .markdown)?.message.contains("is a single value") == true)
  }

  @Test func `a body with a NUL character is a problem`() {
    #expect(
      failure("---\na: 1\n---\nx\n\u{0}", as: .markdown)?.description.hasPrefix("5:1: A NUL character")
        == true)
  }
}
