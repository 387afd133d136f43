import Foundation
import TestSupport

/// The texts that the harness writes, and its own reader for them. Every field is a line `name:
/// JSON`, also in a merge of two texts.
enum HarnessText {
  enum Format {
    case yaml, json, markdown

    /// Returns the format of a file by its name; nil if the name is not that of an item.
    init?(name: ArraySlice<UInt8>) {
      guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
        return nil
      }
      switch String(decoding: name[(dot + 1)...], as: UTF8.self) {
      case "yaml", "yml", "YAML": self = .yaml
      case "json": self = .json
      case "md", "markdown": self = .markdown
      default: return nil
      }
    }
  }

  enum Finding {
    case good([String: NSObject])
    case broken
    /// A text of two writers at the same time, which the harness cannot judge.
    case unknown
  }

  /// Texts that are not valid in any format.
  static let broken: Set<[UInt8]> = Set(
    ["---\nrating: [\n---\n", "---\nrating: 1\nrating: 1\n---\n", "---\na: \"\n---\n", "---\n\0\n---\n"].map {
      Array($0.utf8)
    })

  // MARK: Writing

  static func random(as format: Format, _ random: inout SeededGenerator) -> [UInt8] {
    var lines = [
      "rating: \(random.oneIn(8) ? "null" : "\(random.below(10))")",
      "group: \"\(random.one(of: ["friends", "work", "family", "", "x/y"]))\"",
      "word: \"\(random.one(of: ["red", "green", "RED wine", "blue", "note 2", "note 10"]))\"",
    ]
    if !random.oneIn(12) { lines.append("uid: \"u\(random.below(40))\"") }
    if random.oneIn(10) { lines.append("pad: \"\(String(repeating: "p", count: random.below(20_000)))\"") }
    return text(lines, as: format, body: random.one(of: ["", "body\n", "a red body\n"]))
  }

  private static func text(_ lines: [String], as format: Format, body: String) -> [UInt8] {
    let text =
      switch format {
      case .yaml: lines.joined(separator: "\n") + "\n"
      case .json:
        "{\n"
          + lines.map { "\"" + $0.replacing(": ", with: "\": ", maxReplacements: 1) }.joined(separator: ",\n")
          + "\n}\n"
      case .markdown: "---\n" + lines.joined(separator: "\n") + "\n---\n" + body
      }
    return Array(text.utf8)
  }

  // MARK: Reading

  static func read(_ bytes: [UInt8], as format: Format) -> Finding {
    if broken.contains(bytes) || (bytes.isEmpty && format != .markdown) { return .broken }
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    if lines.contains(where: { $0.hasPrefix("<<<<<<<") }) { return .broken }
    switch format {
    case .markdown: return markdown(lines, text)
    case .json: return lines.first == "{" ? json(lines) : .broken
    case .yaml: return lines.first == "{" ? json(lines) : yaml(lines)
    }
  }

  private static func yaml(_ lines: [String]) -> Finding {
    // This was a Markdown file. The end of its front matter begins a second document.
    if lines.first == "---" { return .broken }
    return fields(lines.last == "" ? lines.dropLast() : lines[...])
  }

  private static func json(_ lines: [String]) -> Finding {
    var lines = lines[...]
    if lines.last == "" { lines.removeLast() }
    guard lines.count > 2, lines.removeLast() == "}" else { return .unknown }
    lines.removeFirst()
    var written: [String] = []
    for (index, line) in zip(lines.indices, lines) {
      guard line.hasPrefix("\""), line.hasSuffix(",") == (index < lines.endIndex - 1) else { return .unknown }
      let field = line.dropFirst().replacing("\": ", with: ": ", maxReplacements: 1)
      written.append(String(field.hasSuffix(",") ? field.dropLast() : field))
    }
    return fields(written[...])
  }

  private static func markdown(_ lines: [String], _ text: String) -> Finding {
    guard lines.first == "---" else { return .good(["body": text as NSString]) }
    guard let end = lines.dropFirst().firstIndex(of: "---") else { return .unknown }
    let body = lines[(end + 1)...].joined(separator: "\n")
    guard case .good(var fields) = fields(lines[1..<end]) else { return .unknown }
    if end == lines.count - 1 { return .unknown }
    fields["body"] = body as NSString
    return .good(fields)
  }

  private static func fields(_ lines: ArraySlice<String>) -> Finding {
    var fields: [String: NSObject] = [:]
    for line in lines {
      guard let colon = line.firstRange(of: ": "),
        let value = try? JSONSerialization.jsonObject(
          with: Data(line[colon.upperBound...].utf8), options: .fragmentsAllowed) as? NSObject
      else { return .unknown }
      if fields.updateValue(value, forKey: String(line[..<colon.lowerBound])) != nil { return .broken }
    }
    return fields.isEmpty ? .unknown : .good(fields)
  }
}
