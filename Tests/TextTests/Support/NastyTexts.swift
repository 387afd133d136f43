import TestSupport
import TextEdits
import Values

/// Texts that use all features of the formats, for mutation.
enum NastyTexts {
  static let all: [(text: String, format: TextFormat)] =
    yaml.map { ($0, .yaml) } + json.map { ($0, .json) } + markdown.map { ($0, .markdown) }
    + (yaml + json).map { ($0, .markdown) }
    + json.map { ($0, .yaml) }

  static let yaml = [
    "a: 1\nb: [x, y]\nc:\n  d: é 😀\n  e: |\n    block\n     text\n\n  f: >-\n    folded\n    text\n",
    "base: &b {x: 1, y: [1, 2]}\nm: {<<: *b, z: 2}\nn:\n  <<: [*b, {q: 1}]\n  y: *b\n",
    "base: &b {x: 1}\nm: {!x <<: *b, z: 2}\nn: {!!str <<: *b}\no: {!!merge <<: *b}\np: {! <<: *b}\n",
    "%YAML 1.2\n%TAG !e! tag:example.org,2000:\n---\na: !e!x 1\nb: !!int '2'\nc: !!set {p, q}\n...\n",
    "? complex\n: value\n? |\n  key\n: - 1\n  - - 2\n    - 3\n'quoted': \"esc \\x41\\u00e9\\n\\\n  more\"\n",
    "- 1\n- -2.5e3\n- 0x1F\n- 0o17\n- .inf\n- -.INF\n- .nan\n- ~\n- null\n- 12345678901234567890\n- 1e400\n- 2024-01-31T10:00:00Z\n",
    "\u{FEFF}a: 'x\n\n  y'\r\nb: plain\r\n  more # c\r\nc: &a !t [*a]\r\n",
    "[[[[{a: [{b: c}]}]]], {? x : y}, &z z, *z, ! n]",
    "<<<<<<< a\nx: 1\n=======\nx: 2\n>>>>>>> b\n",
    "&k a: *k\n*k : &l {m: *k}\nz: {<<: &q {r: &s 1}, t: *s}\nu: *q\n",
    "a:\u{85}b\u{2028}c: d\u{A0}\n---\n", "\t\n# \t\n\n",
  ]

  static let json = [
    "{\"a\": [1, -2.5e3, true, false, null, \"x\\n\\u00e9\\ud83d\\ude00\"], \"b\": {\"c\": {}}, \"d\": []}",
    "[1e400, 12345678901234567890, -0, 0.0, \"2024-01-31\"]",
    " \"\\\"\\\\\\/\\b\\f\\n\\r\\t\" ", "[[[[[[{\"a\":[[[]]]}]]]]]]",
    "{\"\": 1, \" \": 2, \"é\": 3, \"a\": 4, \"b\": 5}",
  ]

  static let markdown = [
    "---\ntitle: x\ntags: [a, b]\n---\n# Hello\n\n---\n", "---\r\na: 1\r\n...\r\nbody\r\n", "---\nno end\n",
    "Only text \u{1B}[0m\n",
  ]

  private static let pieces: [[UInt8]] =
    [
      "[", "]", "{", "}", ",", ": ", "- ", "? ", "&a ", "*a", "!!int ", "!x ", "'", "\"", "|", ">", "#", "%",
      "---\n", "...\n", "\n", "\r",
      "\t", "  ", "<<: ", "\\", "\\u", "\\ud83d",
      "~", "0", "-", ".", "e", "1e999", "é", "\u{FEFF}", "\u{85}", "=======\n", "<<<<<<< ", ">>>>>>> ", "a: ",
      "body: ",
      "tag:yaml.org,2002:",
    ].map { Array($0.utf8) } + [
      [0], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xFF, 0xFE], [0xFE, 0xFF], [0x1B], [0xF0, 0x9F],
    ]

  /// Removes, inserts, doubles or changes a few bytes.
  static func mutated(_ text: String, using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<generator.below(6) {
      let index = generator.below(bytes.count + 1)
      let end = min(bytes.count, index + generator.below(12))
      switch generator.below(6) {
      case 0: bytes.removeSubrange(index..<end)
      case 1: bytes.insert(contentsOf: bytes[index..<end], at: generator.below(bytes.count + 1))
      case 2: if index < bytes.count { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
      case 3: bytes.removeSubrange(index...)
      default: bytes.insert(contentsOf: generator.one(of: pieces), at: index)
      }
    }
    return bytes
  }
}
