import Terminal
import TestSupport
import Testing
import Values

@testable import Browse

@Suite struct HighlighterTests {
  /// Returns the styled parts of a text as `ink(part)`, and plain parts as they are.
  private func marked(_ text: String, _ language: TextLanguage) -> [String] {
    let document = DocumentLines(Array(text.utf8), as: language)
    var lines: [String] = []
    document.forEachLine(from: 0) { line in
      let text = Array(document.text(of: line.range).text.utf8)
      var (start, marked) = (0, "")
      for span in line.state.spans(of: String(decoding: text, as: UTF8.self)) {
        let part = String(decoding: text[start..<span.end], as: UTF8.self)
        marked += span.style.ink == .plain ? part : "\(span.style.ink)(\(part))"
        start = span.end
      }
      lines.append(marked + String(decoding: text[start...], as: UTF8.self))
      return true
    }
    return lines
  }

  @Test func `YAML has keys, numbers, strings and comments`() {
    let text = "name: Ada # first\n\"q\": 'it''s'\nrating: -8.5\nok: true\nnone: ~\nurl: http://x#y\ntime: 10:30"
    #expect(
      marked(text, .yaml) == [
        "key(name): Ada comment(# first)", "key(\"q\"): string('it''s')", "key(rating): number(-8.5)", "key(ok): number(true)",
        "key(none): number(~)", "key(url): http://x#y", "key(time): 10:30",
      ])
  }

  @Test func `YAML has lists, anchors, tags and documents`() {
    let text = "%YAML 1.2\n---\n- a: &x 1\n- *x\n- !t two\n- - 3\n..."
    #expect(
      marked(text, .yaml) == [
        "dim(%YAML 1.2)", "dim(---)", "dim(-) key(a): dim(&x) number(1)", "dim(-) dim(*x)", "dim(-) dim(!t) two",
        "dim(-) dim(-) number(3)", "dim(...)",
      ])
  }

  @Test func `a YAML block text goes on to the next key`() {
    let text = "a: |-2 # c\n  # text\n\n  b: c\nd: >\n e\n- f: |\n    g\n  h: 1"
    #expect(
      marked(text, .yaml) == [
        "key(a): dim(|-2) comment(# c)", "string(  # text)", "", "string(  b: c)", "key(d): dim(>)", "string( e)",
        "dim(-) key(f): dim(|)", "string(    g)", "  key(h): number(1)",
      ])
  }

  @Test func `quoted YAML goes over line ends`() {
    #expect(
      marked("a: \"x\n  # y\\\"\n  z\" # c\nb: 'p\n\n q'", .yaml) == [
        "key(a): string(\"x)", "string(  # y\\\")", "string(  z\") comment(# c)", "key(b): string('p)", "", "string( q')",
      ])
  }

  @Test func `YAML in brackets has keys and values`() {
    #expect(
      marked("a: {b: 1, \"c\": [x, 2]}\nd: [\n  3,\n]\ne: f", .yaml) == [
        "key(a): {key(b): number(1), key(\"c\"): [x, number(2)]}", "key(d): [", "  number(3),", "]", "key(e): f",
      ])
  }

  @Test func `JSON has keys, strings, numbers and words`() {
    #expect(
      marked("{\"a\\\"b\" : [1e5, \"x\", null],\n\"c\":{}, bad}", .json) == [
        "{key(\"a\\\"b\") : [number(1e5), string(\"x\"), number(null)],", "key(\"c\"):{}, bad}",
      ])
  }

  @Test func `Markdown has front matter`() {
    #expect(marked("---\ntitle: x\n---\n# T\na: b", .markdown) == ["dim(---)", "key(title): x", "dim(---)", "title(# T)", "a: b"])
  }

  @Test func `Markdown without the end of front matter is text`() {
    #expect(marked("---\ntitle: x\n# T", .markdown) == ["---", "title: x", "title(# T)"])
  }

  @Test func `Markdown has code, emphasis, links, lists and quotes`() {
    let text = "- a `c` **s** [t](u) \\*\n> 1. q\n``` swift\n# no\n````\nx\n<!-- c\n# c\n--> d\ny ** z ` [k]"
    #expect(
      marked(text, .markdown) == [
        "key(-) a string(`c`) strong(**s**) key([t])dim((u)) \\*", "dim(>) key(1.) q", "dim(``` swift)", "string(# no)", "dim(````)", "x",
        "comment(<!-- c)", "comment(# c)", "comment(--> d)", "y ** z ` [k]",
      ])
  }

  @Test func `a difference has added and removed lines`() {
    #expect(
      marked("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n c", .difference) == [
        "dim(--- a/x)", "dim(+++ b/x)", "header(@@ -1 +1 @@)", "deleted(-a)", "inserted(+b)", " c",
      ])
  }

  @Test func `the spans of hostile lines are in order and end within the line`() {
    let signs = [
      "\"", "'", "|", ">", "-", "#", ":", " ", "\t", "[", "]", "{", "}", ",", "`", "*", "_", "\\", "<!--", "-->", "---", "&", "!", "a", "1",
    ]
    for seed in Randomness.seeds(40) {
      var generator = SeededGenerator(seed: seed)
      let text = (0..<40).map { _ in
        (0..<generator.below(20)).map { _ in generator.oneIn(6) ? generator.hostileText() : generator.one(of: signs) }.joined()
      }.joined(separator: "\n")
      for language in [TextLanguage.yaml, .json, .markdown, .difference] {
        let document = DocumentLines(Array(text.utf8), as: language)
        document.forEachLine(from: 0) { line in
          let text = document.text(of: line.range).text
          let ends = line.state.spans(of: text).map(\.end)
          #expect(ends == Array(Set(ends)).sorted(), "\(seedNote(seed))")
          #expect(ends.allSatisfy { $0 > 0 && $0 <= text.utf8.count }, "\(seedNote(seed))")
          return true
        }
      }
    }
  }
}
