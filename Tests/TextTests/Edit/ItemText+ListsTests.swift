import TestSupport
import Testing
import TextEdits
import Values

/// Elements of lists keep their bytes and their comments.
@Suite struct ItemTextListsTests {
  @Test(arguments: removals) func `a removed element is removed with its comments`(_ edit: EditCase) {
    edit.check()
  }
  @Test(arguments: insertions) func `a new element is not inserted between another one and its comments`(
    _ edit: EditCase
  ) { edit.check() }
  @Test(arguments: headings) func `a comment that may be a heading remains`(_ edit: EditCase) { edit.check() }
  @Test(arguments: orders) func `elements in another order keep their bytes`(_ edit: EditCase) {
    edit.check()
  }

  @Test(arguments: values) func `an element is removed by its value`(_ edit: EditCase) { edit.check() }

  private static let values: [EditCase] = [
    .yaml("l:\n  # a\n  - a\n  # b\n  - b\n", .removeValue("a", from: "l"), gives: "l:\n  # b\n  - b\n"),
    .yaml("l: [a, b, c] # x\n", .removeValue("b", from: "l"), gives: "l: [a, c] # x\n"),
    .yaml("l: [a]\n", .removeValue("a", from: "l"), gives: "l: []\n"),
    .yaml(
      "l: [1.0, 2024-01-01]\n", .removeValue(1, from: "l"), .removeValue("2024-01-01", from: "l"),
      gives: "l: []\n"),
    .yaml("m: [{n: 1}, {n: 2}]\n", .removeValue(["n": 2], from: "m"), gives: "m: [{n: 1}]\n"),
    .yaml("m: [[a], [a, b]]\n", .removeValue("b", from: "m[1]"), gives: "m: [[a], [a]]\n"),
    .json("{\"l\": [1, 2]}", .append(3, to: "l"), .removeValue(2, from: "l"), gives: "{\"l\": [1, 3]}"),
    .markdown("---\nl: [a]\n---\nx\n", .removeValue("a", from: "l"), gives: "---\nl: []\n---\nx\n"),
    .yaml("l: [a]\n", .removeValue("b", from: "l"), gives: "l: [a]\n"),
    .yaml("l: [a]\n", .removeValue("b", from: "k"), gives: "l: [a]\n"),
    .yaml("l:\n", .removeValue("b", from: "l"), gives: "l:\n"),
    .yaml("l: [a, b, a]\n", .removeValue("a", from: "l"), refused: .ambiguous, at: "1:4"),
    .yaml("l: a\n", .removeValue("a", from: "l"), refused: .wrongKind),
    .yaml("l: {a: 1}\n", .removeValue("a", from: "l"), refused: .wrongKind),
    .yaml("l: [a]\n", .removeValue("a", from: "l[LAST]"), refused: .wrongKind),
  ]

  private static let removals: [EditCase] = [
    .yaml("l:\n  # a\n  - a\n  # b\n  - b\n", .remove("l[0]"), gives: "l:\n  # b\n  - b\n"),
    .yaml("l:\n  # a\n  - a\n  # b\n  - b\n", .remove("l[1]"), gives: "l:\n  # a\n  - a\n"),
    .yaml(
      "l:\n- a # one\n# b\n# more\n- b # two\n- c\n- d\nk: 1\n", .remove("l[3]"),
      gives: "l:\n- a # one\n# b\n# more\n- b # two\n- c\nk: 1\n"
    ),
    .yaml("l:\n- n: 1\n  # of n\n- n: 2\nk: 1\n", .remove("l[0]"), gives: "l:\n- n: 2\nk: 1\n"),
    .yaml("l:\n- a\n\n# b\n- b\n\n# c\n- c\nk: 1\n", .remove("l[1]"), gives: "l:\n- a\n\n\n# c\n- c\nk: 1\n"),
    .yaml("l:\r\n  # a\r\n  - a\r\n  # b\r\n  - b", .remove("l[1]"), gives: "l:\r\n  # a\r\n  - a"),
    .markdown("---\nl:\n# a\n- a\n# b\n- b\n---\nx\n", .remove("l[0]"), gives: "---\nl:\n# b\n- b\n---\nx\n"),
  ]

  private static let insertions: [EditCase] = [
    .yaml(
      "l:\n  # a\n  - a\n  # b\n  - b\n", .insert("l[0]", "x"),
      gives: "l:\n  - x\n  # a\n  - a\n  # b\n  - b\n"),
    .yaml(
      "l:\n  # a\n  - a\n  # b\n  - b\n", .insert("l[1]", "x"),
      gives: "l:\n  # a\n  - a\n  - x\n  # b\n  - b\n"),
    .yaml(
      "l:\n- n: 1\n  # of n\n- n: 2\n  # too\n", .insert("l[1]", 3), .insert("l[3]", 4),
      gives: "l:\n- n: 1\n  # of n\n- 3\n- n: 2\n  # too\n- 4\n"),
    .yaml("l:\n  # all\n  - a\n  - b\n", .insert("l[0]", "x"), gives: "l:\n  # all\n  - x\n  - a\n  - b\n"),
  ]

  private static let headings: [EditCase] = [
    .yaml("l:\n  # keep sorted\n  - a\n  - b\n", .remove("l[0]"), gives: "l:\n  # keep sorted\n  - b\n"),
    .yaml(
      "l:\n  # x\n  - a\n  - b\n  # y\n  - c\n  - d\n", .remove("l[2]"),
      gives: "l:\n  # x\n  - a\n  - b\n  # y\n  - d\n"),
    .yaml("l:\n  - a\n  # section\n\n  - b\n", .remove("l[1]"), gives: "l:\n  - a\n  # section\n\n"),
    .yaml("l:\n  - a\n# further out\n  - b\n", .remove("l[1]"), gives: "l:\n  - a\n# further out\n"),
    .yaml("# of a\na: 1\nb: 2\n", .remove("a"), gives: "# of a\nb: 2\n"),
  ]

  private static let orders: [EditCase] = [
    .yaml(
      "l:\n  # a\n  - 0x1F # one\n\n  # b\n  - 'b' # two\n", .set("l", ["b", 31]),
      gives: "l:\n  # b\n  - 'b' # two\n\n  # a\n  - 0x1F # one\n"),
    .yaml(
      "l:\n- n: 0x10 # x\n  # tail\n- - 1 # y\n", .set("l", [[1], ["n": 16]]),
      gives: "l:\n- - 1 # y\n- n: 0x10 # x\n  # tail\n"),
    .yaml("l: [0x1F, 'b', .5] # c\n", .set("l", [0.5, "b", 31]), gives: "l: [.5, 'b', 0x1F] # c\n"),
    .yaml(
      "l: [\n  0x1F, # a\n  'b', # b\n  .5 # c\n]\n", .set("l", [0.5, 31, "b"]),
      gives: "l: [\n  .5, # c\n  0x1F, # a\n  'b' # b\n]\n"),
    .yaml("l:\n- - 0x1\n  - 2\n  - 0x3\n", .set("l[0]", [3, 1, 2]), gives: "l:\n- - 0x3\n  - 0x1\n  - 2\n"),
    .yaml("l:\n- |\n  x\n- &a y\nk: *a\n", .set("l", ["y", "x\n"]), gives: "l:\n- &a y\n- |\n  x\nk: *a\n"),
    .yaml("l:\n- &a 0x1\n- *a\n- 2\n", .set("l", [2, 1, 1]), gives: "l:\n- 2\n- &a 0x1\n- *a\n"),
    .json(
      "{\"l\": [true, \"\\u0041\", {\"a\":1}]}", .set("l", [["a": 1], "A", true]),
      gives: "{\"l\": [{\"a\":1}, \"\\u0041\", true]}"),
    .json(
      "{\"l\": [\n  \"\\u0041\",\n  {\"a\":1}\n]}", .set("l", [["a": 1], "A"]),
      gives: "{\"l\": [\n  {\"a\":1},\n  \"\\u0041\"\n]}"),
  ]

  /// An element of a block list, with its comments.
  private struct Element {
    let value: Int
    let lines: String
  }

  @Test func `elements that remain or move keep their lines`() throws {
    for seed in Randomness.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let indent = random.one(of: ["", "  ", "    "])
      let elements = (0..<2 + random.below(6)).map { number -> Element in
        let value = 16 + number
        let literal = random.one(of: ["0x\(String(value, radix: 16))", "+\(value)", String(value)])
        let text =
          random.oneIn(2)
          ? "n: \(literal) # \(number)\n\(indent)  # below \(number)\n"
          : "n: \(literal)\n\(indent)  m: [.5] # \(number)\n"
        return Element(value: value, lines: "\(indent)# above \(number)\n\(indent)- \(text)")
      }
      let head = "a: 1 # a\nl: # list\n"
      let tail = "# z\nz: 0x1\n"
      let bytes = Array((head + elements.map(\.lines).joined() + tail).utf8)
      let old = try #require(PackedValue(reading: bytes, as: .yaml).value.fields)
      guard case .list(let values)? = old["l"] else {
        Issue.record("no list \(seedNote(seed))")
        continue
      }
      var order = Array(elements.indices)
      if random.oneIn(2) {
        order.shuffle(using: &random)
      } else {
        order.swapAt(random.below(order.count), random.below(order.count))
      }
      while order.count > 1, random.oneIn(3) { order.remove(at: random.below(order.count)) }
      var new = old
      new["l"] = .list(order.map { values[$0] })
      let result = try ItemText(bytes, as: .yaml).applying(TextEdit.edits(from: old, to: new))
      let wanted = head + order.map { elements[$0].lines }.joined() + tail
      #expect(String(decoding: result, as: UTF8.self) == wanted, "\(order) \(seedNote(seed))")
    }
  }
}
