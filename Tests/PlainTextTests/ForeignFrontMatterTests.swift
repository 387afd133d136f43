import PlainText
import Testing

struct ForeignFrontMatterTests {
  private static func found(_ text: String) -> ForeignFrontMatter? { ForeignFrontMatter(of: Array(text.utf8), as: .markdown) }

  @Test(arguments: [
    "+++\ntitle = \"x\"\n+++\nHello\n", "+++\n+++\n", "+++  \r\ntitle = 'x'\r\n+++\r\n", "\u{FEFF}+++\na = 1\n+++",
    "+++\n[params]\na = 1\n+++\n",
    "+++\ntitle = \"not closed yet\"\n\nText\n", "+++\n\"a b\".c-d = 1\n",
  ])
  func `TOML between plus signs is front matter`(text: String) {
    #expect(ForeignFrontMatterTests.found(text) == .toml)
  }

  @Test(arguments: [
    "{\n  \"title\": \"x\"\n}\n\nHello\n", "{\"title\": \"}\", \"a\": [{}]}\nHello\n", "{}\n", "{ }", "\u{FEFF}{\"a\":1}",
    "{\r\n\"a\": \"\\\"}\"\r\n}\r\n",
    "{\n  \"title\": \"not closed yet\",\n\nText\n",
  ])
  func `A JSON object that ends its line is front matter`(text: String) {
    #expect(ForeignFrontMatterTests.found(text) == .json)
  }

  @Test(arguments: [
    "", "Hello\n", "---\na: 1\n---\n", "++\n", "++++\na = 1\n++++\n", "+++ b/file.c\n", " +++\na = 1\n+++\n", "+++\nA diff\n",
    "{% include x %}\n",
    "{{< shortcode >}}\n", "{: .class}\n# Title\n", "{#id}\n", "{\"a\": 1} is JSON.\n", "{} is empty.\n", "{\"quoted\"}\n", "{a: 1}\n", "{",
    "{\"",
    "[{\"a\": 1}]\n", "{{ \"a\": 1 }}\n", " {\"a\": 1}\n",
  ])
  func `Ordinary Markdown is not taken for it`(text: String) {
    #expect(ForeignFrontMatterTests.found(text) == nil)
  }

  @Test func `Only Markdown has front matter`() {
    #expect(ForeignFrontMatter(of: Array("{\"a\": 1}\n".utf8), as: .json) == nil)
  }

  @Test(arguments: ["+++\ntitle = \"x\"\n+++\nHello\n", "{\"a\": 1}\nHello\n"])
  func `Such a page is its text, and no edit changes it`(text: String) throws {
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

  @Test func `Such pages are merged by lines`() {
    func page(_ title: String, _ text: String) -> [UInt8] { Array("+++\ntitle = \"\(title)\"\nweight = 1\n+++\n\nOne\n\n\(text)\n".utf8) }
    let merge = TextMerge(base: page("a", "b"), ours: page("x", "b"), theirs: page("a", "y"), as: .markdown)
    #expect(!merge.isConflicted)
    #expect(merge.isByLines)
    #expect(merge.bytes == page("x", "y"))
  }
}
