import TestSupport
import Testing
import TextEdits
import Values

struct ForeignFrontMatterTests {
  private static func found(_ text: String) -> ForeignFrontMatter? {
    ForeignFrontMatter(of: Array(text.utf8), as: .markdown)
  }

  @Test(arguments: [
    "+++\ntitle = \"x\"\n+++\nHello\n", "+++\n+++\n", "+++  \r\ntitle = 'x'\r\n+++\r\n",
    "\u{FEFF}+++\na = 1\n+++",
    "+++\n[params]\na = 1\n+++\n",
    "+++\ntitle = \"not closed yet\"\n\nText\n", "+++\n\"a b\".c-d = 1\n",
  ])
  func `TOML between plus signs is front matter`(text: String) {
    #expect(ForeignFrontMatterTests.found(text) == .toml)
  }

  @Test(arguments: [
    "{\n  \"title\": \"x\"\n}\n\nHello\n", "{\"title\": \"}\", \"a\": [{}]}\nHello\n", "{}\n", "{ }",
    "\u{FEFF}{\"a\":1}",
    "{\r\n\"a\": \"\\\"}\"\r\n}\r\n",
    "{\n  \"title\": \"not closed yet\",\n\nText\n", " {\"a\": 1}\n",
    ";;;\n\"title\": \"x\"\n;;;\nHello\n", ";;;\r\n{\"title\": \"x\"}\r\n;;; \r\n", ";;;\n;;;",
    ";;;\n  \"title\": \"not closed yet\"\n",
  ])
  func `a JSON object that ends its line, or JSON between semicolons, is front matter`(text: String) {
    #expect(ForeignFrontMatterTests.found(text) == .json)
  }

  @Test(arguments: [
    ("---toml\ntitle = 1\n---\n", "TOML"), ("---json\n{\"a\": 1}\n---\n", "JSON"),
    ("--- json5 \r\n{a: 1}\r\n---\r\n", "JSON"),
    ("---TOML\n", "TOML"),
    ("---js\n{a: 1}\n---\n", "JavaScript"), ("---javascript\n", "JavaScript"),
    ("---cson\na: 1\n---\n", "CoffeeScript"),
    ("---ini\na=1\n---\n", "INI"),
    ("---yaml\na: 1\n---\n", "marked YAML"), ("---\tyml\na: 1\n---\n", "marked YAML"),
    ("\n---yaml\na: 1\n---\n", "marked YAML"),
    ("\n---\na: 1\n---\n", "indented YAML"), (" ---\nlast-seen:\n---", "indented YAML"),
    ("\u{FEFF}\u{FEFF}---\na: 1\n...\n", "indented YAML"),
  ])
  func `dashes with a language, or YAML below blank lines, are front matter that is not read`(
    text: String, kind: String
  ) {
    #expect(ForeignFrontMatterTests.found(text).map(\.rawValue) == kind)
  }

  @Test(arguments: [
    "", "Hello\n", "---\na: 1\n---\n", "++\n", "++++\na = 1\n++++\n", "+++ b/file.c\n", "+++\nA diff\n",
    "\n+++\nA diff\n",
    ";;;\nA comment\n", ";;;\n\"Quoted\", she said.\n;;;\n", ";;;\nText\n;;;\n", ";;;\n{% x %}\n;;;\n",
    ";;;;\n\"a\": 1\n;;;;\n",
    ";;; a lisp comment\n;;;\n", "---\n\n---\n", "\n---\n", "\n---\nA rule\n---\n", "\n---\n\na: 1\n---\n",
    "\n---\na: 1\n",
    "--- a/file\n+++ b/file\n---\n",
    "---note\na: 1\n---\n", "--- yaml is a language\n---\n", "----toml\na = 1\n", "---toml---\n",
    "  {% include x %}\n",
    "\n{{ template }}\n", "\n{#id}\n", " \n\t",
    "\u{FEFF}\u{FEFF}Hello\n", "\n{\"a\": 1} is JSON.\n",
    "{% include x %}\n",
    "{{< shortcode >}}\n", "{: .class}\n# Title\n", "{#id}\n", "{\"a\": 1} is JSON.\n", "{} is empty.\n",
    "{\"quoted\"}\n", "{a: 1}\n", "{",
    "{\"",
    "[{\"a\": 1}]\n", "{{ \"a\": 1 }}\n",
  ])
  func `ordinary Markdown is not mistaken for front matter`(text: String) {
    #expect(ForeignFrontMatterTests.found(text) == nil)
  }

  /// Generators skip different characters before front matter, so an edit never puts YAML above any
  /// of it.
  @Test func `whitespace above front matter does not make the page editable`() throws {
    let pages = [
      "+++\ntitle = 1\n+++\n", "{\n\"title\": 1\n}\n", ";;;\n\"title\": 1\n;;;\n",
      "---toml\ntitle = 1\n---\n",
      "---json\n{\"title\": 1}\n---\n",
      "---yaml\ntitle: 1\n---\n", "\n---\ntitle: 1\n---\n", "+++\ntitle = 1\n", "{\"title\": 1,\n",
    ]
    let skipped = ["\n", "\r\n", "\r", " ", "\t", "\u{B}", "\u{C}", "\u{FEFF}"]
    var edits = 0
    for seed in Randomness.seeds(500) {
      var generator = SeededGenerator(seed: seed)
      let lead = (0..<Int.random(in: 0...6, using: &generator)).map { _ in generator.one(of: skipped) }
        .joined()
      let text =
        lead + generator.one(of: pages) + generator.one(of: ["", "\n# Text\n", "+++\n---\n", "\n;;;\n{}\n"])
      let page = ItemText(Array(text.utf8), as: .markdown)
      let edit = TextEdit.set(
        FieldPath(keys: [generator.one(of: ["title", "rating", "body"])]), .string("new"))
      let error = #expect(throws: TextEditError.self, "\(seedNote(seed)) \(text.debugDescription)") {
        try page.applying([edit])
      }
      #expect(error?.reason == .foreignFrontMatter, "\(seedNote(seed)) \(text.debugDescription)")
      edits += 1
    }
    #expect(edits > 0)
  }

  @Test func `only Markdown has front matter`() {
    #expect(ForeignFrontMatter(of: Array("{\"a\": 1}\n".utf8), as: .json) == nil)
  }

  @Test(arguments: [
    "+++\ntitle = \"x\"\n+++\nHello\n", "{\"a\": 1}\nHello\n", ";;;\n\"a\": 1\n;;;\nHello\n",
    "\n---\na: 1\n---\n",
  ])
  func `a page with foreign front matter has only its text, and no edit changes it`(text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try PackedValue(reading: bytes, as: .markdown).value == .map(["body": .string(text)]))
    let page = ItemText(bytes, as: .markdown)
    #expect(try page.applying([.set(FieldPath(keys: ["body"]), .string(text))]) == bytes)
    for edit in [
      TextEdit.set(FieldPath(keys: ["title"]), .string("y")), .set(FieldPath(keys: ["body"]), .string("y")),
      .remove(FieldPath(keys: ["body"])),
    ] {
      let error = try #require(throws: TextEditError.self) { try page.applying([edit]) }
      #expect(error.reason == .foreignFrontMatter)
    }
  }

  @Test func `pages with foreign front matter are merged by lines`() {
    func page(_ title: String, _ text: String) -> [UInt8] {
      Array("+++\ntitle = \"\(title)\"\nweight = 1\n+++\n\nOne\n\n\(text)\n".utf8)
    }
    let merge = TextMerge(base: page("a", "b"), ours: page("x", "b"), theirs: page("a", "y"), as: .markdown)
    #expect(!merge.isConflicted)
    #expect(merge.isByLines)
    #expect(merge.bytes == page("x", "y"))
  }
}
