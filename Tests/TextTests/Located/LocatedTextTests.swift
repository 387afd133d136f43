import TestSupport
import Testing
import TextEdits
import Values

@Suite struct LocatedTextTests {
  private func locate(_ text: String, as format: TextFormat = .yaml) throws -> LocatedText {
    try LocatedText(reading: Array(text.utf8), as: format)
  }

  /// The text of the value at a path.
  private func slice(_ text: String, _ path: String, as format: TextFormat = .yaml) throws -> String? {
    let located = try locate(text, as: format)
    return try located.range(of: FieldPath(parsing: path)).map {
      String(decoding: located.bytes[$0], as: UTF8.self)
    }
  }

  @Test(
    arguments: [
      ("a: 1\nb: x y  # c\n", "b", "x y"), ("a: 'it''s'", "a", "'it''s'"),
      ("é: \"q\\n\"\nb: 1", "é", "\"q\\n\""),
      ("é: 1\nü: 2\nb: ö", "b", "ö"), ("\u{FEFF}é: 1\nb: ö", "b", "ö"),
      ("a: {b: [1, 2]}", "a", "{b: [1, 2]}"), ("a: {b: [1, 2 ] }", "a.b", "[1, 2 ]"),
      ("a: [x, y]", "a.1", "y"),
      ("a:\n  b: 1\n  c: 2\n\n# end\nd: 3", "a", "b: 1\n  c: 2"),
      ("a:\n- 1\n- b: 2\n  c: 3\nd: 4", "a", "- 1\n- b: 2\n  c: 3"),
      ("a:\n- 1\n- b: 2\n  c: 3\nd: 4", "a.1", "b: 2\n  c: 3"),
      ("a: |\n  x\n  y\n\nb: 1", "a", "|\n  x\n  y"),
      ("a: |+\n  x\n\nb: 1", "a", "|+\n  x\n"), ("a: >-  # c\n  x  \n\n# d\nb: 1", "a", ">-  # c\n  x  "),
      ("a: |\n  x", "a", "|\n  x"),
      ("a: |\nb: 1", "a", "|"), ("a:\nb: 1", "a", ""),
      ("a: x\n  y\n\n  z\nb: 1", "a", "x\n  y\n\n  z"), ("a: &n !!str x\n", "a", "x"),
      ("a: !t &n\n  b: 1\n", "a", "b: 1"),
      ("a: &n # c\n  - 1\n", "a", "- 1"), ("a: !<tag:x,y> [1]", "a", "[1]"),
      ("a: ! x", "a", "x"), ("a: &x 1\nb: *x", "b", "*x"), ("? a\n: b", "a", "b"),
      ("[a: 1 , b]", "0", "a: 1"),
      ("{a: 1, b}", "b", ""),
      ("a: 1\r\nb: 2\r\n", "b", "2"), ("a: \"x\n  y\"", "a", "\"x\n  y\""),
      ("a: !!null\nb: 1", "a", ""), ("- a\n-\n- b", "1", ""), ("a: 1", "b", nil),
      ("a: &x {c: 1}\nb: *x", "b.c", nil),
      ("a: {b: 1}", "a.b.c", nil), ("a: [1]", "a.1", nil), ("a: 1\n...\n", "a", "1"),
      ("a: |1\n  x\nb: 1", "a", "|1\n  x"),
      // YAML 1.1's other line breaks end a tag and a comment too.
      ("a: !\u{2028}- b\n", "a", "- b"), ("a: &n\u{85}- b\n", "a", "- b"),
      ("a: !t # c\u{2029}- b\n", "a", "- b"),
    ] as [(String, String, String?)])
  func `a YAML value has the range of its bytes`(_ text: String, _ path: String, _ expected: String?) throws {
    #expect(try slice(text, path) == expected, "\(text)")
  }

  @Test(arguments: [
    ("{\"a\": 1, \"b\" : [ true, \"x\\\"y\" ] }", "b", "[ true, \"x\\\"y\" ]"),
    ("{\"a\": 1, \"b\" : [ true, \"x\\\"y\" ] }", "b.1", "\"x\\\"y\""),
    ("\u{FEFF} {\"é\": {\"\\u0062\": -1.5e3}}", "é.b", "-1.5e3"), ("{\"é\": null}", "é", "null"),
    ("{\"a\": {}}", "a", "{}"),
  ])
  func `a JSON value has the range of its bytes`(_ text: String, _ path: String, _ expected: String?) throws {
    #expect(try slice(text, path, as: .json) == expected)
  }

  @Test func `a Markdown file has ranges for its front matter, fields and body`() throws {
    let text = "\u{FEFF}---\r\ntitle: é\r\ntags: [a]\r\n---\r\n# Body\r\n"
    #expect(try slice(text, "title", as: .markdown) == "é")
    #expect(try slice(text, "tags.0", as: .markdown) == "a")
    #expect(try slice(text, "body", as: .markdown) == "# Body\r\n")
    let located = try locate(text, as: .markdown)
    #expect(
      located.frontMatter.map { String(decoding: located.bytes[$0], as: UTF8.self) }
        == "title: é\r\ntags: [a]\r\n")
    #expect(try locate("text", as: .markdown).frontMatter == nil)
    #expect(try slice("text", "body", as: .markdown) == "text")
    #expect(try slice("---\n---\ntext", "body", as: .markdown) == "text")
  }

  @Test func `a located value has keys, anchors, tags and styles`() throws {
    let root = try #require(try locate("&k 'a b': !t &x 1\n? c\n: - 1\n<<: &m {d: *x}\n").root)
    let entries = try #require(root.entries)
    #expect(entries.map(\.key) == ["a b", "c", "<<"])
    #expect(entries.map(\.isMerge) == [false, false, true])
    #expect(entries.map(\.value.style) == [.plain, .block, .flow])
    #expect(entries[0].value.anchor == "x")
    #expect(entries[0].value.tag == "!t")
    #expect(entries[0].keyRange == 3..<8)
    #expect(entries[0].value.properties == 10..<15)
    #expect(entries[0].value.fullRange == 10..<17)
    #expect(entries[1].range == 18..<27)
    #expect(entries[1].keyRange == 20..<21)
    #expect(entries[2].value.anchor == "m")
    guard case .alias("x")? = entries[2].value.entries?.first?.value.content else {
      Issue.record("d should be an alias")
      return
    }
  }

  @Test func `a place is that of the deepest written value on a path`() throws {
    let text = try locate(
      "views:\n  friends: {sort: é, where: 1}\n  base: &b {limit: 1}\n  all:\n    <<: *b\n")
    func place(_ keys: String...) -> String {
      let place = text.place(of: FieldPath(keys: keys))
      return "\(place.line):\(place.column)"
    }
    #expect(place("views", "friends", "where") == "2:29")
    #expect(place("views", "friends", "missing") == "2:12")
    #expect(place("views", "all", "limit") == "5:9")
    #expect(place("other") == "1:1")
    #expect(
      text.placeOfKey(FieldPath(keys: ["views", "friends", "where"])) == TextPlace(line: 2, column: 22))
    #expect(try locate("").place(of: FieldPath(keys: ["a"])) == TextPlace(line: 1, column: 1))
  }

  @Test func `each scalar reads back from its range`() throws {
    var scalars = 0
    for (text, format) in NastyTexts.all {
      guard let located = try? LocatedText(reading: Array(text.utf8), as: format), let root = located.root
      else { continue }
      scalars += checkScalars(of: root, located, format)
    }
    #expect(scalars > 0)
  }

  /// Checks the scalars that can be read on their own, and returns their number.
  private func checkScalars(of value: LocatedValue, _ located: LocatedText, _ format: TextFormat) -> Int {
    switch value.content {
    case .scalar(let scalar):
      guard value.style != .body, value.style != .literal, value.style != .folded, value.tag == nil else {
        return 0
      }
      let text = String(decoding: located.bytes[value.range], as: UTF8.self)
      #expect((try? read(text, as: format == .json ? .json : .yaml)) == scalar, "\(text)")
      return 1
    case .list(let elements): return elements.reduce(0) { $0 + checkScalars(of: $1, located, format) }
    case .map(let entries): return entries.reduce(0) { $0 + checkScalars(of: $1.value, located, format) }
    case .alias: return 0
    }
  }

  @Test func `the located tree has the values of the ordinary reader`() throws {
    var trees = (written: 0, mutated: 0)
    for (text, format) in NastyTexts.all where checkTree(Array(text.utf8), format, "") { trees.written += 1 }
    for seed in Randomness.seeds(2_000) {
      var generator = SeededGenerator(seed: seed)
      let (text, format) = generator.one(of: NastyTexts.all)
      if checkTree(NastyTexts.mutated(text, using: &generator), format, seedNote(seed)) { trees.mutated += 1 }
    }
    #expect(trees.written > 0)
    #expect(trees.mutated > 0)
  }

  /// Compares the values of a text. Returns false if the text cannot be read.
  private func checkTree(_ bytes: [UInt8], _ format: TextFormat, _ note: String) -> Bool {
    guard let located = try? LocatedText(reading: bytes, as: format),
      let packed = try? PackedValue(reading: bytes, as: format)
    else {
      return false
    }
    var anchors: [String: Value] = [:]
    let value = located.root.map { resolve($0, located.bytes, &anchors) } ?? .null
    #expect(value == packed.value, "\(note)\n\(String(decoding: bytes, as: UTF8.self).debugDescription)")
    return true
  }

  /// Resolves aliases and merge keys as the ordinary reader does.
  private func resolve(_ located: LocatedValue, _ bytes: [UInt8], _ anchors: inout [String: Value]) -> Value {
    let value: Value
    switch located.content {
    case .scalar(let scalar): value = scalar
    case .alias(let name): return anchors[name] ?? .null
    case .list(let elements): value = .list(elements.map { resolve($0, bytes, &anchors) })
    case .map(let entries):
      var fields = Fields()
      var merged: [Value] = []
      for entry in entries {
        if let anchor = entry.keyAnchor { anchors[anchor] = keyValue(of: entry, bytes) }
        let value = resolve(entry.value, bytes, &anchors)
        if entry.isMerge { merged.append(value) } else { fields[entry.key] = value }
      }
      for source in merged.flatMap({ if case .list(let maps) = $0 { maps } else { [$0] } }) {
        guard case .map(let others) = source else { continue }
        for (key, value) in others where fields[key] == nil { fields[key] = value }
      }
      value = .map(fields)
    }
    if let anchor = located.anchor { anchors[anchor] = value }
    return value
  }

  /// What an alias of a key stands for: `1` is a number, but `a:` would be a map on its own, so it is a text.
  private func keyValue(of entry: LocatedEntry, _ bytes: [UInt8]) -> Value {
    let value = try? read(String(decoding: bytes[entry.keyRange], as: UTF8.self))
    if case .map? = value { return .string(entry.key) }
    return value ?? .null
  }

  @Test func `an alias of a key that ends with a colon is a text`() {
    #expect(checkTree(Array("&k a:: 1\nb: *k\n&n 1: 2\nc: *n\n".utf8), .yaml, ""))
  }
}
