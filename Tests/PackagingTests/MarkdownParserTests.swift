import Testing

@testable import Packaging

@Suite struct MarkdownParserTests {
  @Test(arguments: [
    ("# Title\n\nOne\ntwo.\n\nThree.\n", [MarkdownBlock.heading(level: 1, text: "Title"), .paragraph("One two."), .paragraph("Three.")]),
    (
      "A list:\n- one\n  more\n- two\n",
      [.paragraph("A list:"), .list(isNumbered: false, items: [[.paragraph("one more")], [.paragraph("two")]])]
    ),
    ("1. one\n2. two\n", [.list(isNumbered: true, items: [[.paragraph("one")], [.paragraph("two")]])]),
    ("```sh\n# no heading\n\n| no table\n```\nText\n", [.code(["# no heading", "", "| no table"]), .paragraph("Text")]),
    ("Text\n\n![A list](images/list.png)\n\nMore\n", [.paragraph("Text"), .paragraph("More")]),
    ("<!-- setup\n# no heading\n-->\nText\n", [.paragraph("Text")]),
    ("| a | b |\n| --- | --- |\n| `x\\|y` | z |\n", [.table(header: ["a", "b"], rows: [["`x|y`", "z"]])]),
    ("| a | b |\n| --- | --- |\n| x | |\n", [.table(header: ["a", "b"], rows: [["x", ""]])]),
  ])
  func `blocks of a page are read`(text: String, blocks: [MarkdownBlock]) {
    #expect(MarkdownParser.blocks(of: text) == blocks)
  }

  @Test func `a section ends at the next heading of its level`() {
    let page = MarkdownParser.blocks(of: "# P\n\n## a\n\nOne.\n\n### b\n\nTwo.\n\n## c\n\nThree.\n")
    #expect(page.section("a") == [.paragraph("One."), .heading(level: 3, text: "b"), .paragraph("Two.")])
    #expect(page.section("b") == nil)
    #expect(page.removingSections(["a"]).count == 3)
  }
}
