import TestSupport
import Testing

@testable import Values

@Suite struct YAMLScannerTests {
  private static let accepted: [(text: String, json: String)] = [
    ("a: 1\n", #"{"a":1}"#), ("a: 1", #"{"a":1}"#),
    ("# c\n\n---\n# d\n  a: 1\n  b: x # c\n", #"{"a":1,"b":"x"}"#),
    (
      "a: two words\nb: http://x.org/?a=b#c\nc: it's\n",
      #"{"a":"two words","b":"http://x.org/?a=b#c","c":"it's"}"#
    ),
    ("a:\nb: ~\nc: # none\nd: true", #"{"a":null,"b":null,"c":null,"d":true}"#),
    ("a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", #"{"a":{"b":{"c":1},"d":2},"e":3}"#),
    ("a:\n- 1\n- 2\nb:\n  - x\n  -\n", #"{"a":[1,2],"b":["x",null]}"#),
    ("a:\n- b: 1\n  c: 2\n- - 3\n  - 4\n-\n  d: 5\n", #"{"a":[{"b":1,"c":2},[3,4],{"d":5}]}"#),
    ("a:\n  one line\nb:\n  'quoted'\n", #"{"a":"one line","b":"quoted"}"#),
    (
      "a: [x, 'y, z', \"}\", [1, 2], {b: 1, \"c\":2}]\nd: []\ne: {}\n",
      #"{"a":["x","y, z","}",[1,2],{"b":1,"c":2}],"d":[],"e":{}}"#
    ),
    ("a: [ # c\n  x,\n\n  y, # d\n]\n", #"{"a":["x","y"]}"#),
    (
      "a: 'it''s'\nb: \"x \\\"y\\\"\\n\\t\\\\\"\n\"c d\": ''\n'<<': 1\n",
      #"{"a":"it's","b":"x \"y\"\n\t\\","c d":"","<<":1}"#
    ),
    (
      "a: |\n  x\n   y\n\n  z\nb: |-\n  x\n\nc: |+ # keep\n  x\n\nd: 1\n",
      #"{"a":"x\n y\n\nz\n","b":"x","c":"x\n\n","d":1}"#
    ),
    ("a: >\n  x\n  y\n\n  z\n   more\n  end\nb: >-\n\n  x\n", #"{"a":"x y\nz\n more\nend\n","b":"\nx"}"#),
    ("a: |\n  x", #"{"a":"x"}"#),
    (
      "a: 2024-01-31\nb: '2024-01-31'\nc: |-\n  2024-01-31\n",
      #"{"a":"2024-01-31","b":"2024-01-31","c":"2024-01-31"}"#
    ),
    ("a: \"\t\"\nb: |\n  x\n  \ty\n# \t\n", #"{"a":"\t","b":"x\n\ty\n"}"#),
    ("é: 😀\r\nb:\r\n- x\r\n", #"{"é":"😀","b":["x"]}"#),
  ]

  @Test(arguments: accepted)
  func `the plain subset is scanned and has the values of libyaml`(_ text: String, _ json: String) throws {
    #expect(isScanned(text))
    #expect(try JSONWriter.text(of: value(text, usesScanner: true)) == json)
    #expect(try value(text, usesScanner: true) == value(text, usesScanner: false))
  }

  @Test(arguments: [
    "", "# nothing\n", "- 1\n", "x\n", "{a: 1}", "--- {a: 1}", "a: &x 1\nb: *x\n", "a: !!str 1\n",
    "<<: {a: 1}\n", "? a\n: 1\n",
    "%YAML 1.2\n---\na: 1\n",
    "a: 1\n---\nb: 1\n", "a: 1\n...\n", "a: x\n  y\n", "a: 'x\n  y'\n", "a: \"\\x41\"\n", "a:\t1\n",
    "a: 1\t# c\n", "\ta: 1\n", "a: x\ty\n",
    "a: |2\n  x\n",
    "a: |\nb: 1\n", "a: [b: 1]\n", "a: [x\n  y]\n", "a: [http://x]\n", "a: {b}\n", "a: {b: }\n",
    "\"a\\n\": 1\n", "a: 1\rb: 2\r",
    "a: x\u{85}b\n",
    "a: \u{FEFF}\n", "a: \u{2028}\n", "a: @x\n", "a: 1\na: 2\n", "a:\n b: 1\n  c: 2\n", "a: b: c\n",
    "a: [1, 2\n", "a: 'x\n", "a: 1\nb\n",
    "a:\n  - 1\n - 2\n",
  ])
  func `a text outside of the subset is read by libyaml`(_ text: String) {
    #expect(!isScanned(text))
    #expect(readsAlike(Array(text.utf8), .yaml))
  }

  @Test func `the scanner declines at the reserved key of front matter and at limits`() {
    #expect(!isScanned("body: x\n", reservedKey: "body"))
    #expect(isScanned("a:\n  body: x\n", reservedKey: "body"))
    #expect(!isScanned("a: [[1]]\n", limits: ReadLimits(depth: 2)))
    #expect(isScanned("a: [1]\n", limits: ReadLimits(depth: 2)))
    #expect(!isScanned("a: " + String(repeating: "[", count: 16) + String(repeating: "]", count: 16)))
    #expect(isScanned(String(repeating: "k", count: 1_024) + ": 1\n"))
    #expect(!isScanned(String(repeating: "k", count: 1_025) + ": 1\n"))
    // A large text whose packed form is much larger than the text.
    #expect(!isScanned("a: [" + String(repeating: "[],", count: 30_000) + "]\n"))
  }

  @Test func `the scanner and libyaml read the same values and errors`() {
    for seed in Randomness.seeds(500) {
      var texts = ScannerTexts(seed: seed)
      let text = texts.next()
      #expect(readsAlike(text, .yaml), "\(seedNote(seed))")
      #expect(
        readsAlike(Array("---\n".utf8) + text + Array("---\nText\n".utf8), .markdown), "\(seedNote(seed))")
    }
  }

  @Test(arguments: [0, 1, 126, 127, 128, 16_382, 16_383, 16_384, 70_000])
  func `strings of all lengths are scanned`(length: Int) throws {
    let word = String(repeating: "x", count: length)
    let texts = [
      ("a: |-\n  y\(word)\n", "y" + word), ("a: \"\\n\(word)\"\n", "\n" + word),
      ("a: '''\(word)'\n", "'" + word),
    ]
    for (text, expected) in texts {
      #expect(isScanned(text))
      #expect(try value(text, usesScanner: true) == .map(["a": .string(expected)]))
    }
  }

  @Test func `the scanner and libyaml read all nasty texts alike`() {
    for (text, format) in NastyTexts.all { #expect(readsAlike(Array(text.utf8), format)) }
  }

  @Test func `one reader scans texts after it declined others`() throws {
    var reader = TextReader(usesScanner: true)
    for (text, json) in YAMLScannerTests.accepted {
      let wrong = Array(("x: [{y: [z,\n" + text).utf8)
      #expect(throws: TextError.self) { try wrong.withUnsafeBytes { try reader.readItem($0, as: .yaml) } }
      let value = try Array(text.utf8).withUnsafeBytes { try reader.readItem($0, as: .yaml).value }
      #expect(JSONWriter.text(of: value) == json)
    }
  }
}

extension YAMLScannerTests {
  private func value(_ text: String, usesScanner: Bool) throws -> Value {
    var reader = TextReader(usesScanner: usesScanner)
    return try Array(text.utf8).withUnsafeBytes { try reader.readItem($0, as: .yaml).value }
  }

  /// Returns true if the scanner accepts a text.
  private func isScanned(_ text: String, limits: ReadLimits = ReadLimits(), reservedKey: StaticString? = nil)
    -> Bool
  {
    var reader = YAMLReader(limits: limits, usesScanner: true)
    reader.reservedKey = reservedKey
    var builder = PackedBuilder()
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { raw in
      guard let source = try? SourceText(checking: raw) else { return false }
      return reader.scan(source, 0..<raw.count, into: &builder)
    }
  }

  /// Returns true if a text has the same value, or the same error, with the scanner and without it.
  private func readsAlike(_ text: [UInt8], _ format: TextFormat) -> Bool {
    [ReadLimits(), ReadLimits(depth: 3)].allSatisfy { limits in
      let results = [true, false].map { usesScanner in
        Result { () throws(TextError) in
          var reader = TextReader(limits: limits, usesScanner: usesScanner)
          return try text.withRawBytes { raw throws(TextError) in try reader.readItem(raw, as: format) }
        }
      }
      return results[0] == results[1]
    }
  }
}
