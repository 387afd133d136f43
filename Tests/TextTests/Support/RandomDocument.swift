import TestSupport
import TextEdits
import Values

/// Items as people write them, in all formats and layouts, with scalars as an editor would write
/// them.
struct RandomDocument {
  let text: String
  let format: TextFormat

  private static let keys = [
    "a", "b", "title", "two words", "é", "2024", "'q k'", "\"d k\"", "x-y", "a.b", "z/w",
  ]
  private static let scalars = [
    "x", "two words", "'it''s'", "'10'", "\"a\\\"b\"", "\"no\"", "12", "-1.5", "true", "null", "2024-01-31",
    "\"2024-01-31\"",
    "http://x.org/?a=b#c",
    "café 😀", "''", "'# no'", "/path", "1.2.3",
  ]
  private static let flowScalars = [
    "x", "two words", "'it, s'", "\"a]b\"", "12", "true", "null", "\"no\"", "'10'", "café",
  ]

  static func make(using generator: inout SeededGenerator) -> RandomDocument {
    let lineBreak = generator.oneIn(4) ? "\r\n" : "\n"
    var writer = Writer(
      step: generator.one(of: [2, 2, 4]), listIndent: generator.one(of: [0, 2]), generator: generator)
    defer { generator = writer.generator }
    if generator.oneIn(5) { return RandomDocument(text: writer.json(), format: .json) }
    var lines = writer.map(column: 0, depth: 3)
    if writer.generator.oneIn(4) { lines.insert("# first", at: 0) }
    var text = lines.joined(separator: lineBreak) + (writer.generator.oneIn(4) ? "" : lineBreak)
    if writer.generator.oneIn(4) {
      if !text.utf8.reversed().starts(with: [0x0A]) { text += lineBreak }
      return RandomDocument(
        text: "---" + lineBreak + text + "---" + lineBreak + "# Body" + lineBreak, format: .markdown)
    }
    if writer.generator.oneIn(8) { text = "\u{FEFF}" + text }
    return RandomDocument(text: text, format: .yaml)
  }

  private struct Writer {
    let step: Int
    let listIndent: Int
    var generator: SeededGenerator

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private mutating func end() -> String { generator.one(of: ["", "", "", " # c", "\t# tab", "  "]) }

    private mutating func someKeys() -> [String] {
      Array(RandomDocument.keys.shuffled(using: &generator).prefix(1 + generator.below(4)))
    }

    mutating func map(column: Int, depth: Int) -> [String] {
      var lines: [String] = []
      for key in someKeys() {
        if generator.oneIn(8) { lines.append(generator.oneIn(2) ? "" : spaces(column) + "# about") }
        lines += value(spaces(column) + key + ":", column: column, list: listIndent, depth: depth)
      }
      return lines
    }

    private mutating func list(column: Int, depth: Int) -> [String] {
      let isSpread = generator.oneIn(4)
      return (0...generator.below(3)).flatMap { index in
        var lines = index > 0 && isSpread ? [""] : []
        if depth > 0, generator.oneIn(3) {
          let entries = map(column: column + 2, depth: depth - 1).drop {
            $0.isEmpty || $0.contains("# about")
          }
          if let first = entries.first {
            lines +=
              [spaces(column) + "- " + first.unicodeScalars.dropFirst(column + 2).map(String.init).joined()]
              + entries.dropFirst()
          }
        } else {
          lines += value(spaces(column) + "-", column: column, list: 2, depth: 0)
        }
        return lines
      }
    }

    private mutating func value(_ head: String, column: Int, list: Int, depth: Int) -> [String] {
      switch generator.below(depth > 0 ? 8 : 5) {
      case 0:
        return [head + " " + generator.one(of: ["|", "|-"]) + (generator.oneIn(3) ? " # c" : "")]
          + (0...generator.below(2)).map { _ in
            spaces(column + step)
              + generator.one(of: ["line", "# no comment", "a: b", "  deep"]).trimmingBlanks
          }
      case 1: return [head + " " + flow(depth: 2) + end()]
      case 5: return [head + end()] + self.list(column: column + list, depth: depth - 1)
      case 6: return [head + end()] + map(column: column + step, depth: depth - 1)
      default: return [head + " " + generator.one(of: RandomDocument.scalars) + end()]
      }
    }

    private mutating func flow(depth: Int) -> String {
      switch generator.below(depth > 0 ? 4 : 2) {
      case 2:
        return "[" + (0..<generator.below(4)).map { _ in flow(depth: depth - 1) }.joined(separator: ", ")
          + "]"
      case 3:
        return "{"
          + someKeys().prefix(generator.below(3)).map { "\($0): \(flow(depth: depth - 1))" }.joined(
            separator: ", ") + "}"
      default: return generator.one(of: RandomDocument.flowScalars)
      }
    }

    mutating func json() -> String {
      let text = JSONWriter.text(
        of: .map([
          "a": RandomValue.make(using: &generator), "b": RandomValue.make(depth: 2, using: &generator),
        ]))
      guard generator.oneIn(2) else { return text }
      return "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x\"\n    }\n  ],\n  \"c\": " + text + "\n}\n"
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String { String(unicodeScalars.drop { $0 == " " }) }
}
