import Terminal
import TestSupport
import Testing
import TextEdits
import Values

@testable import Browse

@Suite struct HighlightsTests {
  /// Returns the styled parts of each line as `ink(part)`, and plain parts as they are.
  private func marked(_ text: String, _ format: TextFormat) throws -> [String] {
    let located = try LocatedText(reading: Array(text.utf8), as: format)
    let document = DocumentLines(located.bytes, Highlights(of: located).spans)
    var lines: [String] = []
    document.forEachLine(from: 0) { line in
      var (start, marked) = (line.range.lowerBound, "")
      func part(_ end: Int) -> String { String(decoding: document.bytes[start..<end], as: UTF8.self) }
      for span in document.spans(of: line.range) {
        let end = line.range.lowerBound + span.end
        marked += span.style.ink == .plain ? part(end) : "\(span.style.ink)(\(part(end)))"
        start = end
      }
      lines.append(marked + part(line.range.upperBound))
      return true
    }
    return lines
  }

  @Test func `YAML has keys, numbers, strings and comments`() throws {
    let text =
      "# top\nname: Ada # first\n\"q\": 'it''s'\nrating: -8.5\nok: true\nnone: ~\nurl: http://x#y\nday: 2026-11-26\ntime: 10:30\nempty:\n# end"
    #expect(
      try marked(text, .yaml) == [
        "comment(# top)", "key(name): Ada comment(# first)", "key(\"q\"): string('it''s')",
        "key(rating): number(-8.5)",
        "key(ok): number(true)", "key(none): number(~)", "key(url): http://x#y", "key(day): 2026-11-26",
        "key(time): 10:30", "key(empty):",
        "comment(# end)",
      ])
  }

  @Test func `YAML has lists, anchors, tags and documents`() throws {
    let text = "%YAML 1.2\n---\n- a: &x 1\n- *x\n- !t two\n- !!str 2\n- - 3\n- ? k\n  : v\n..."
    #expect(
      try marked(text, .yaml) == [
        "dim(%YAML 1.2)", "dim(---)", "dim(-) key(a): dim(&x) number(1)", "dim(-) dim(*x)",
        "dim(-) dim(!t) two", "dim(-) dim(!!str) 2",
        "dim(-) dim(-) number(3)", "dim(-) dim(?) key(k)", "  : v", "dim(...)",
      ])
  }

  @Test func `a YAML block text goes on to the next key`() throws {
    let text = "a: |-2 # c\n  # text\n\n  b: c\nd: >\n e\nf:\n- g: |\n    h\n  i: 1"
    #expect(
      try marked(text, .yaml) == [
        "key(a): dim(|-2) comment(# c)", "string(  # text)", "", "string(  b: c)", "key(d): dim(>)",
        "string( e)", "key(f):",
        "dim(-) key(g): dim(|)", "string(    h)", "  key(i): number(1)",
      ])
  }

  @Test func `quoted YAML goes over line ends`() throws {
    #expect(
      try marked("a: \"x\n  # y\\\"\n  z\" # c\nb: 'p\n\n  q'", .yaml) == [
        "key(a): string(\"x)", "string(  # y\\\")", "string(  z\") comment(# c)", "key(b): string('p)", "",
        "string(  q')",
      ])
  }

  @Test func `YAML in brackets has keys and values`() throws {
    #expect(
      try marked("a: {b: 1, \"c\": [x, 2]}\nd: [\n  3,\n]\ne: f", .yaml) == [
        "key(a): {key(b): number(1), key(\"c\"): [x, number(2)]}", "key(d): [", "  number(3),", "]",
        "key(e): f",
      ])
  }

  @Test func `JSON has keys, strings, numbers and words`() throws {
    #expect(
      try marked("{\"a\\\"b\" : [1e5, \"x\", null],\n\"c\":{}, \"d\": false}", .json) == [
        "{key(\"a\\\"b\") : [number(1e5), string(\"x\"), number(null)],",
        "key(\"c\"):{}, key(\"d\"): number(false)}",
      ])
  }

  @Test func `Markdown has front matter`() throws {
    #expect(
      try marked("---\ntitle: x\n---\n# T\na: b", .markdown) == [
        "dim(---)", "key(title): x", "dim(---)", "title(# T)", "a: b",
      ])
  }

  @Test func `Markdown has headings, code and strong text`() throws {
    let text =
      "- a `c` **s** ``t`u`` ***\n``` swift\n# no\n````\n #### h\n#no\n~~~\n`\n```\n~~~\ny ** z\r\n## r\r\n"
    #expect(
      try marked(text, .markdown) == [
        "- a string(`c`) strong(**s**) string(``t`u``) ***", "dim(``` swift)", "string(# no)", "dim(````)",
        "title( #### h)", "#no",
        "dim(~~~)", "string(`)", "string(```)", "dim(~~~)", "y ** z", "title(## r)",
      ])
  }

  @Test func `a file with a byte order mark has its styles at their places`() throws {
    #expect(try marked("\u{FEFF}a: 1\n", .yaml) == ["key(a): number(1)"])
  }

  @Test func `the deepest nesting takes no stack`() throws {
    let text = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
    #expect(try marked(text, .json) == [text])
  }

  @Test func `the spans of hostile texts are in order and end within the text`() {
    let pieces = [
      "a: 1", "b: 'x'", "# c", "c: |", "  text", "- d", "e: [1, {f: 2}]", "g: &h x", "i: *h", "```", "**",
      "`x`", "# t", "---", "{}",
      "\"j\": k",
    ]
    var parsed = 0
    for seed in Randomness.seeds(40) {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<generator.below(12)).map { _ in
        generator.oneIn(6) ? generator.hostileText() : generator.one(of: pieces)
      }.joined(separator: "\n")
      for format in [TextFormat.yaml, .json, .markdown] {
        guard let located = try? LocatedText(reading: Array(text.utf8), as: format) else { continue }
        parsed += 1
        let ends = Highlights(of: located).spans.map(\.end)
        #expect(ends == Array(Set(ends)).sorted(), "\(seedNote(seed))")
        #expect(ends.last ?? 0 <= located.bytes.count, "\(seedNote(seed))")
      }
    }
    #expect(parsed > 0)
  }
}
