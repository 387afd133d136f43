import TestSupport
import Testing

@testable import TextEdits
@testable import Values

@Suite struct TextStyleTests {
  private func added(_ fields: Fields, like texts: [String], as format: TextFormat = .yaml) throws -> String {
    let style = TextStyle(ofMost: texts.map { Array($0.utf8) }, as: format)
    let start =
      format == .json ? TextStyle.example("_", like: style) : format == .markdown ? "---\n---\n" : ""
    let edits =
      fields.map { TextEdit.insert(FieldPath(keys: [$0.key]), $0.value) }
      + (format == .json ? [.remove("_")] : [])
    return String(
      decoding: try ItemText(Array(start.utf8), as: format).styled(like: style).applying(edits), as: UTF8.self
    )
  }

  @Test func `dates and lists are written as most texts write them`() throws {
    let plain = [
      "due: 2026-11-01\ntags: [a, b]\n", "due: 2026-11-02\ntags: [a]\n",
      "due: \"2026-11-03\"\ntags:\n  - a\n",
    ]
    #expect(
      try added(["due": "2026-12-01", "tags": ["u", "v"]], like: plain) == "due: 2026-12-01\ntags: [u, v]\n")
    #expect(try added(["done": "2026-12-01", "more": ["x"]], like: plain) == "done: 2026-12-01\nmore: [x]\n")
    let quoted = ["due: '2026-11-01'\ntags:\n- a\n", "due: '2026-11-02'\ntags:\n- b\n", "due: 2026-11-03\n"]
    #expect(
      try added(["due": "2026-12-01", "tags": ["x"], "m": ["k": ["v"]]], like: quoted)
        == "due: '2026-12-01'\ntags:\n- x\nm:\n  k:\n  - v\n"
    )
    #expect(try added(["due": "2026-12-01"], like: []) == "due: \"2026-12-01\"\n")
  }

  @Test func `quotes, keys and padding are those of most texts`() throws {
    let texts = ["\"name\": 'Ada'\nm: { a: 1 }\nl: [ 1 ]\n", "\"name\": 'Bob'\nm: { a: 2 }\nl: [ 2 ]\n"]
    #expect(
      try added(["name": "Eda", "m": ["a": 3], "l": [3]], like: texts)
        == "\"name\": 'Eda'\nm: { a: 3 }\nl: [ 3 ]\n")
  }

  @Test func `a page has the style of other front matter`() throws {
    let page = "---\ndue: 2026-11-01\ntags: [a]\n---\nText\n"
    #expect(
      try added(["due": "2026-12-01", "tags": ["x"]], like: [page], as: .markdown)
        == "---\ndue: 2026-12-01\ntags: [x]\n---\n")
  }

  @Test func `JSON has the layout of other files`() throws {
    let wide = "{\n    \"a\": 1,\n    \"l\": [\n        1\n    ]\n}\n"
    #expect(
      try added(["a": 2, "l": [3]], like: [wide], as: .json)
        == "{\n    \"a\": 2,\n    \"l\": [\n        3\n    ]\n}\n")
    #expect(
      try added(["a": 2, "l": [3, 4]], like: ["{\"a\":1,\"l\":[1,2]}"], as: .json)
        == "{\"a\":2,\"l\":[3,4]}\n")
    #expect(
      TextStyle(ofMost: [Array("{}".utf8), Array("{\"a\": 1}".utf8)], as: .json)?.endsWithLineBreak == false)
  }

  @Test func `JSON has the padding of brackets and of braces`() throws {
    let text = "{\n  \"tags\": [\"a\", \"b\"],\n  \"m\": { \"a\": 1 }\n}\n"
    #expect(
      try added(["tags": ["x"], "m": ["a": 2], "n": ["l": 1]], like: [text, text], as: .json)
        == "{\n  \"tags\": [\"x\"],\n  \"m\": { \"a\": 2 },\n  \"n\": { \"l\": 1 }\n}\n")
    let wide = "{\n  \"tags\": [ 1 ],\n  \"m\": {\"a\": 1}\n}\n"
    #expect(
      try added(["k": [2], "n": ["a": 2]], like: [wide], as: .json)
        == "{\n  \"k\": [ 2 ],\n  \"n\": {\"a\": 2}\n}\n")
  }

  @Test func `JSON has lists and maps on one line where other files have them`() throws {
    let text =
      "{\n  \"pts\": [[1, 2], [3, 4]],\n  \"l\": [\n    {\"a\": 1, \"b\": 2},\n    {\"a\": 3, \"b\": 4}\n  ],\n  \"m\": {\n    \"x\": 1\n  }\n}\n"
    let fields: Fields = ["pts": [[5, 6]], "l": [["a": 5], ["a": 6]], "m": ["y": 2], "new": ["z": 3]]
    #expect(
      try added(fields, like: [text, text, "{\n  \"m\": {\"x\": 1}\n}\n"], as: .json)
        == "{\n  \"pts\": [[5, 6]],\n  \"l\": [\n    {\"a\": 5},\n    {\"a\": 6}\n  ],\n  \"m\": {\n    \"y\": 2\n  },\n"
        + "  \"new\": {\"z\": 3}\n}\n")
    let deep = "{\n  \"c\": [\n    [\n      [1, 2],\n      [3, 4]\n    ]\n  ]\n}\n"
    #expect(try added(["c": [[[1, 2], [3, 4]]]], like: [deep], as: .json) == deep)
  }

  @Test(arguments: ["'", "\""])
  func `a new field has quotes if nearly all strings of other texts have them`(quote: String) throws {
    let text = "name: \(quote)Ada\(quote)\ntags: [\(quote)a\(quote)]\ndue: 2026-11-01\n"
    #expect(
      try added(["desc": "plain", "l": ["z"], "num": 1, "until": "2026-12-01"], like: [text, text])
        == "desc: \(quote)plain\(quote)\nl: [\(quote)z\(quote)]\nnum: 1\nuntil: 2026-12-01\n")
    // Quotes that are necessary, or beside strings without them, are no custom.
    #expect(try added(["desc": "plain"], like: ["zip: \(quote)02110\(quote)\n"]) == "desc: plain\n")
    #expect(try added(["desc": "plain"], like: [text, "name: Ada\ncity: Rome\n"]) == "desc: plain\n")
  }

  @Test(arguments: ["{\"a\":1,\"l\":[1,2]}", "{\n  \"m\": {\"a\": 1},\n  \"l\": [\n    {\"b\": 2}\n  ]\n}\n"])
  func `a JSON text has its own layout when it is edited`(text: String) throws {
    let edited = try ItemText(Array(text.utf8), as: .json).applying([
      .set("m", ["a": 1]), .append(["b": 3], to: "l"),
    ])
    let wanted =
      text.contains("\n")
      ? text.replacing("{\"b\": 2}", with: "{\"b\": 2},\n    {\"b\": 3}")
      : "{\"a\":1,\"l\":[1,2,{\"b\":3}],\"m\":{\"a\":1}}"
    #expect(String(decoding: edited, as: UTF8.self) == wanted)
  }

  private static let strings = [
    "a", "true", "1", "1.50", "~", "", " x", "a: b", "# c", "- d", "two\nlines\n", "tab\there", "é\u{301}",
    "\"q\"", "it's", "[x]", "{y}",
    "2026-01-01", "2026-01-01T10:00:00Z", "end\n\n", "@today", "*a", "&b", "!t", "|", "\r\n", "\u{FEFF}",
  ]

  private static func value(_ random: inout SeededGenerator, depth: Int) -> Value {
    switch random.below(depth > 0 ? 8 : 6) {
    case 0: .number(.integer(random.below(100)))
    case 1: .bool(random.oneIn(2))
    case 2: random.oneIn(2) ? .null : Value(text: "2026-0\(1 + random.below(9))-11")
    case 3, 4, 5: Value(text: random.one(of: strings))
    case 6: .list((0..<random.below(4)).map { _ in value(&random, depth: depth - 1) })
    default: .map(fields(&random, depth: depth - 1))
    }
  }

  private static func fields(_ random: inout SeededGenerator, depth: Int) -> Fields {
    (0..<(1 + random.below(5))).reduce(into: Fields()) { fields, _ in
      fields[random.one(of: ["name", "due", "tags", "on", "a b", "x", "2024 b"])] = value(
        &random, depth: depth)
    }
  }

  private static let texts = [
    "name: 'Ada'\ndue: 2026-11-01\ntags: [a, b]\nx: {k: v}\n",
    "name: \"Ada\"\ndue: '2026-11-01'\ntags:\n- a\nx:\n    k: v\n",
    "\"name\": |\n  Ada\n\"due\": >-\n  2026\ntags: [ 1 ]\n", "'on': y\n2024: z\ntags:\n    -   a\n    -   b",
    "# nothing\n", "not a map",
    "{a: 1, b: [2]}",
    "name: &a x\ntags: *a\nx: !!str 1\n",
  ]
  private static let jsonTexts = [
    "{\"a\":1,\"l\":[1,2]}",
    "{\n  \"x\": { \"tags\": [[1], [2]] },\n  \"tags\": [\n    {\"on\": 1}\n  ]\n}\n",
    "{\n\t\"a\": [\n\t\t1\n\t]\n}\n", "{ \"a\" : \"\\u00e9\", \"b\": [ 1 ] }", "[]", "{}",
  ]

  @Test(arguments: Randomness.seeds(120))
  func `in every style, what is written reads back as the same values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let format = random.one(of: TextFormat.allCases)
    let texts = (0..<random.below(5)).map { _ in random.one(of: format == .json ? Self.jsonTexts : Self.texts)
    }
    .map { format == .markdown ? "---\n\($0)\n---\nText\n" : $0 }
    let fields = Self.fields(&random, depth: 3)
    let text = try added(fields, like: texts, as: format)
    var read = try PackedValue(reading: Array(text.utf8), as: format).value.fields
    if format == .markdown { read?["body"] = nil }
    #expect(
      read == PackedValue(.map(fields)).value.fields, "\(fields)\nlike \(texts):\n\(text)\n\(seedNote(seed))")
  }

  @Test(arguments: Randomness.seeds(30))
  func `the style follows the majority`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let isPlain = (0..<(1 + 2 * random.below(6))).map { _ in random.oneIn(2) }
    let texts = isPlain.map { $0 ? "due: 2026-11-01\ntags: [a]\n" : "due: \"2026-11-01\"\ntags:\n  - a\n" }
    let most = isPlain.count { $0 } * 2 > isPlain.count
    let text = try added(["due": "2026-12-01", "tags": ["x"]], like: texts)
    #expect(
      text == (most ? "due: 2026-12-01\ntags: [x]\n" : "due: \"2026-12-01\"\ntags:\n  - x\n"),
      "\(isPlain); \(seedNote(seed))")
  }
}
