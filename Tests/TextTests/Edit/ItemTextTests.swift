import Testing
import TextEdits
import Values

@Suite struct ItemTextTests {
  @Test(arguments: json) func `JSON is edited`(_ edit: EditCase) { edit.check() }
  @Test(arguments: markdown) func `Markdown is edited`(_ edit: EditCase) { edit.check() }

  @Test func `many inserted fields stay in their order, and the edits after them apply`() throws {
    let count = 3_000
    let inserts = (0..<count).map { TextEdit.insert(FieldPath(keys: ["k\($0)"]), .number(.integer($0))) }
    let item = ItemText(Array("first: 1\n".utf8), as: .yaml)
    let text = try item.applying(inserts + [.set("k7", "seven"), .remove("first")])
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == count)
    #expect(lines[7] == "k7: seven")
    #expect(lines[count - 1] == "k\(count - 1): \(count - 1)")
    #expect(throws: TextEditError.self) { try item.applying(inserts + [.insert("k7", 1)]) }
  }

  private static let json: [EditCase] = [
    .json("{\"a\": 1, \"b\" : 2}", .set("b", "x"), gives: "{\"a\": 1, \"b\" : \"x\"}"),
    .json("{\"a\":1}", .set("b", "x"), gives: "{\"a\":1,\"b\":\"x\"}"),
    .json("{ \"a\": 1 }\n", .set("b", [1, 2]), gives: "{ \"a\": 1, \"b\": [ 1, 2 ] }\n"),
    .json("{\n  \"a\": 1\n}\n", .set("b", 2), gives: "{\n  \"a\": 1,\n  \"b\": 2\n}\n"),
    .json(
      "{\r\n\t\"a\" : 1\r\n}", .set("b", ["c": [1]]),
      gives: "{\r\n\t\"a\" : 1,\r\n\t\"b\" : {\r\n\t\t\"c\" : [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}"),
    .json(
      "{\n  \"a\": [1, 2],\n  \"b\": {}\n}\n", .set("b.c", [3, 4]),
      gives: "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": [3, 4]\n  }\n}\n"),
    .json(
      "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", .append(3, to: "a"), .insert("a[0]", 0),
      gives: "{\n  \"a\": [\n    0,\n    1,\n    2,\n    3\n  ]\n}\n"),
    .json("{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", .remove("a[0]"), gives: "{\n  \"a\": [\n    2\n  ]\n}\n"),
    .json(
      "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", .remove("a[1]"), .remove("a[0]"), gives: "{\n  \"a\": []\n}\n"
    ),
    .json("{}", .set("a.b", 1), gives: "{\"a\": {\"b\": 1}}"),
    .json("\u{FEFF}{\"a\": \"é\"}", .set("a", "ö😀"), gives: "\u{FEFF}{\"a\": \"ö😀\"}"),
    .json(
      "{\"a\": \"\\u00e9\"}", .set("a", "ö😀"), .rename("a", to: "ä"),
      gives: "{\"\\u00e4\": \"\\u00f6\\ud83d\\ude00\"}"),
    .json(
      "{\"a\": 1, \"b\": 2, \"c\": 3}", .remove("a"), .rename("c", to: "d\"e"),
      gives: "{\"b\": 2, \"d\\\"e\": 3}"),
    .json("{\"a\": 1}", .remove("a"), gives: "{}"),
    .json("{\"a\": null}", .set("a.b", 1), gives: "{\"a\": {\"b\": 1}}"),
    .json("{\"a\": null}", .append("x", to: "a"), gives: "{\"a\": [\"x\"]}"),
    .json("{\"a\": 1e400}", .set("a", 1.5), gives: "{\"a\": 1.5}"),
    .json("{\"a\": 1}", .set("a", .number(.double(.nan))), refused: .unwritable, at: "1:7"),
    .json("{\"a\": 1}", .set("b", .number(.double(.infinity))), refused: .unwritable),
    .json("{\"a\": 1,}", .set("a", 2), refused: .unreadable, at: "1:8"),
    .json("[1]", .set("a", 2), refused: .wrongKind),
    .json("null", .set("a", 2), refused: .wrongKind),
    .json("{\"a\": [1]}", .insert("a[1]", 2), gives: "{\"a\": [1, 2]}"),
    .json(
      "{\"a\": [[], {}]}", .append(1, to: "a[0]"), .set("a[1].b", 2), gives: "{\"a\": [[1], {\"b\": 2}]}"),
  ]

  private static let markdown: [EditCase] = [
    .markdown("---\ntitle: x\n---\n# Text\n", .set("title", "z"), gives: "---\ntitle: z\n---\n# Text\n"),
    .markdown("---\ntitle: x\n---\n# Text\n", .set("body", "new\r\n"), gives: "---\ntitle: x\n---\nnew\r\n"),
    .markdown("---\ntitle: x\n---", .set("body", "new"), gives: "---\ntitle: x\n---\nnew"),
    .markdown(
      "---\ntitle: x\n---\n# Text\n", .set("tags", ["a", "b"]),
      gives: "---\ntitle: x\ntags:\n  - a\n  - b\n---\n# Text\n"),
    .markdown(
      "---\r\ntitle: x\r\n...\r\ntext", .set("a", 1), gives: "---\r\ntitle: x\r\na: 1\r\n...\r\ntext"),
    .markdown("---\n---\ntext\n", .set("a", 1), gives: "---\na: 1\n---\ntext\n"),
    .markdown("---\n# none\n---\ntext\n", .set("a", 1), gives: "---\n# none\na: 1\n---\ntext\n"),
    .markdown("text\r\nmore", .set("a", 1), gives: "---\r\na: 1\r\n---\r\ntext\r\nmore"),
    .markdown("text", .set("body", ""), gives: ""),
    .markdown("text", .set("body", "a\u{2028}b"), gives: "a\u{2028}b"),
    .markdown("---\na: 1\n---\ntext", .remove("a"), gives: "---\n---\ntext"),
    .markdown("---\na: 1\nb: 2\n---\n", .remove("b"), .rename("a", to: "c"), gives: "---\nc: 1\n---\n"),
    .markdown("---\n{a: 1}\n---\ntext", .set("b", 2), gives: "---\n{a: 1, b: 2}\n---\ntext"),
    .markdown("---\n{a: 1} # }\n---\ntext", .remove("a"), .set("b", 2), gives: "---\n{b: 2} # }\n---\ntext"),
    .markdown("---\na: |\n  x\n---\ntext", .set("b", 2), gives: "---\na: |\n  x\nb: 2\n---\ntext"),
    .markdown("---\na: 1\n---\ntext", .remove("body"), refused: .unwritable, at: "4:1"),
    .markdown("---\na: 1\n---\ntext", .rename("body", to: "b"), refused: .unwritable),
    .markdown("---\na: 1\n---\ntext", .rename("a", to: "body"), refused: .exists),
    .markdown("---\na: 1\n---\ntext", .set("body", 1), refused: .unwritable),
    .markdown("---\na: 1\n---\ntext", .set("body", "\u{0}"), refused: .unverified),
    .markdown("---\na: 1\n---\ntext", .set("body.x", "y"), refused: .wrongKind),
    .markdown("text", .set("body", "---\na: 1\n---\n"), refused: .unverified),
    .markdown("---\na: 1\nno end", .set("a", 1), refused: .unreadable),
  ]

  @Test func `an edit that changes no value changes no byte`() throws {
    var cases = 0
    for (text, format) in NastyTexts.all {
      guard let value = try? readItem(text, as: format), case .map(let fields) = value else { continue }
      let edits = fields.map { TextEdit.set(FieldPath(keys: [$0.key]), $0.value) }
      #expect(try ItemText(Array(text.utf8), as: format).applying(edits) == Array(text.utf8))
      cases += edits.count
    }
    #expect(cases > 0)
  }

  @Test func `one refused edit leaves all undone`() {
    #expect(throws: TextEditError.self) {
      try ItemText(Array("a: 1\n".utf8), as: .yaml).applying([.set("a", 2), .remove("b")])
    }
  }

  @Test func `UTF-16 is not edited`() {
    let text: [UInt8] = [0xFF, 0xFE] + Array("a: 1".utf8).flatMap { [$0, 0] }
    #expect(throws: TextEditError.self) { try ItemText(text, as: .yaml).applying([.set("a", 2)]) }
  }
}
