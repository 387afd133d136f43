import TestSupport
import TextEdits
import Values

/// An item as people write and change it by hand: with comments, quotes, tags, anchors, block
/// strings, flow collections and lists of maps.
struct HandWrittenItem {
  let format: TextFormat
  private(set) var lines: [String]
  private var lineBreak = "\n"
  private var hasFinalBreak = true
  private var hasByteOrderMark = false

  var bytes: [UInt8] {
    Array(
      ((hasByteOrderMark ? "\u{FEFF}" : "") + lines.joined(separator: lineBreak)
        + (hasFinalBreak ? lineBreak : "")).utf8)
  }

  static func make(using generator: inout SeededGenerator) -> HandWrittenItem {
    let format: TextFormat = generator.one(of: [.yaml, .yaml, .yaml, .json, .markdown])
    if format == .json { return HandWrittenItem(format: .json, lines: json(&generator)) }
    var lines = yaml(&generator)
    if format == .markdown {
      lines = ["---"] + lines + ["---", "# Title", "", "First line.", "Second line.", "", "Last line."]
    }
    return HandWrittenItem(format: format, lines: lines)
  }

  private static func yaml(_ generator: inout SeededGenerator) -> [String] {
    let parts: [[String]] = [
      ["title: Handbook"], ["# who owns it", "owner: 'Ada L.'"], ["python: 3.1", "rating: 8"],
      ["secret: !vault abc"],
      ["base: &base", "  cpu: 2", "  memory: 4G # of each"], ["copy: *base"],
      ["text: |", "  first line", "  second line"],
      ["folded: >-", "  only line"], ["tags: [red, \"dark blue\"]"], ["size: {w: 10, h: 20}"],
      ["nested:", "  deep:", "    a: 1", "    b: two"],
      ["plain:", "- one", "- two", "- three"],
      ["", "# people", "people:"]
        + (1...3).flatMap {
          ["  - name: Person \($0)", "    city: Oslo", "    phone: \"\($0)00\" # home"]
            + ($0 == 2 ? [""] : [])
        },
      ["date: 2024-01-31"], ["empty:"], ["url: http://x.org/?a=b#c"],
    ]
    // An alias follows its anchor.
    let chosen = parts.indices.filter { $0 < 6 || !generator.oneIn(3) }
    let order =
      generator.oneIn(2)
      ? chosen : chosen.filter { $0 < 6 } + chosen.filter { $0 >= 6 }.shuffled(using: &generator)
    return (generator.oneIn(3) ? ["# header"] : []) + order.flatMap { parts[$0] }
  }

  private static func json(_ generator: inout SeededGenerator) -> [String] {
    let people = (1...3).map {
      "    {\n      \"name\": \"Person \($0)\",\n      \"city\": \"Oslo\",\n      \"phone\": \($0)00\n    }"
    }
    let fields =
      ["  \"title\": \"Handbook\"", "  \"rating\": 8", "  \"version\": 3.1"]
      + (generator.oneIn(2) ? ["  \"size\": {\"w\": 10, \"h\": 20}", "  \"tags\": [\"red\", \"blue\"]"] : [])
      + ["  \"people\": [\n\(people.joined(separator: ",\n"))\n  ]"]
    return "{\n\(fields.shuffled(using: &generator).joined(separator: ",\n"))\n}".split(separator: "\n").map(
      String.init)
  }

  /// Makes up to four changes, inside and outside of values. Skips a change after which the text
  /// could not be read.
  mutating func change(using generator: inout SeededGenerator, side: String) {
    for _ in 0..<1 + generator.below(4) {
      var next = self
      if generator.oneIn(3) { next.editValue(&generator, side) } else { next.editLine(&generator, side) }
      if (try? PackedValue(reading: next.bytes, as: format)) != nil { self = next }
    }
  }

  private mutating func editValue(_ generator: inout SeededGenerator, _ side: String) {
    guard lineBreak == "\n", !hasByteOrderMark, hasFinalBreak,
      let value = try? PackedValue(reading: bytes, as: format).value
    else {
      return
    }
    let path = FieldPath(keys: generator.one(of: allPaths(of: value)))
    let new = Value.string("\(side) \(generator.below(1_000_000))")
    let edit: TextEdit =
      switch generator.below(5) {
      case 0: .remove(path)
      case 1: .insert(FieldPath(keys: path.keys.dropLast() + ["\(side)\(generator.below(100))"]), new)
      case 2: .append(new, to: path)
      default: .set(path, new)
      }
    guard let edited = try? ItemText(bytes, as: format).applying([edit]) else { return }
    lines = String(decoding: edited, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  private mutating func editLine(_ generator: inout SeededGenerator, _ side: String) {
    guard !lines.isEmpty else { return }
    let index = generator.below(lines.count)
    let line = lines[index]
    let indentation = String(line.prefix { $0 == " " })
    let number = generator.below(1_000_000)
    switch generator.below(20) {
    case 0, 1: lines.insert(generator.oneIn(3) ? "" : "\(indentation)# \(side) \(number)", at: index)
    case 2: if line.contains("#") || line.isEmpty { lines.remove(at: index) }
    case 3:
      if line.contains("#") || line.isEmpty {
        lines.remove(at: index)
        lines.insert(line, at: generator.below(lines.count))
      }
    case 4: lines[index] = line + " # \(side) \(number)"
    case 5: lines[index] = line.replacing("#", with: "# \(side)", maxReplacements: 1)
    case 6:
      lines[index] = line.replacing(
        ": ", with: generator.oneIn(2) ? ": !\(side) " : ": &\(side)\(number) ", maxReplacements: 1)
    case 7: lines[index] = line.replacing("3.1", with: generator.oneIn(2) ? "3.10" : "3.100")
    case 8: lines[index] = line.replacing("'", with: "\"")
    case 9: lines[index] = line.replacing(": |", with: ": >").replacing(": >-", with: ": |-")
    case 10: if index + 1 < lines.count { lines.swapAt(index, index + 1) }
    case 11: lines[index] = line.replacing(": ", with: ":  ", maxReplacements: 1)
    case 12:
      guard let colon = line.range(of: ": ") else { return }
      let text = line[colon.upperBound...]
      if text.allSatisfy({ $0.isLetter || $0 == " " }) {
        lines[index] = "\(line[..<colon.upperBound])\"\(text)\""
      }
    case 13: if generator.oneIn(3) { lineBreak = "\r\n" }
    case 14: if generator.oneIn(3) { hasFinalBreak.toggle() }
    case 15: if generator.oneIn(4) { hasByteOrderMark = true }
    case 16:
      if format == .yaml, index == 0 || generator.oneIn(3), lines[0] != "---" { lines.insert("---", at: 0) }
    case 17:
      guard let colon = line.range(of: ": ") else { return }
      lines[index] = "\(line[..<colon.upperBound])\(side)\(number)"
    case 18: lines.remove(at: index)
    default: lines.insert("\(indentation)\(side)\(number): \(number)", at: index)
    }
  }
}

extension String {
  /// Replaces the first occurrence.
  fileprivate func range(of text: String) -> Range<String.Index>? { self.firstRange(of: text) }
}
