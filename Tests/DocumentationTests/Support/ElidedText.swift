import Foundation

/// Output as a page shows it. `…` in a line matches any text, and a line that is only `…` any number of lines. The time at the start of a line matches any time.
struct ElidedText {
  private let lines: [String]

  init(_ lines: [String]) {
    self.lines = ElidedText.normalized(lines)
  }

  var isEmpty: Bool { lines.isEmpty }

  func matches(_ text: String) -> Bool {
    // Swift counts a line break of CSV, `\r\n`, as one character, which does not split at `\n`.
    let text = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" }))
    return ElidedText.matches(lines[...], ElidedText.normalized(text.components(separatedBy: "\n"))[...])
  }

  /// Returns true if `text` matches a line in which `…` stands for any text.
  static func matches(line pattern: String, _ text: String) -> Bool {
    var pieces = pattern.components(separatedBy: "…")
    guard pieces.count > 1 else { return pattern == text }
    let (first, last) = (pieces.removeFirst(), pieces.removeLast())
    guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else {
      return false
    }
    var rest = text.dropFirst(first.count).dropLast(last.count)
    for piece in pieces where !piece.isEmpty {
      guard let range = rest.range(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  private static func matches(_ patterns: ArraySlice<String>, _ lines: ArraySlice<String>) -> Bool {
    guard let pattern = patterns.first else { return lines.isEmpty }
    if pattern == "…" {
      return lines.indices.contains { matches(patterns.dropFirst(), lines[$0...]) }
        || matches(patterns.dropFirst(), [])
    }
    guard let line = lines.first, matches(line: pattern, line) else { return false }
    return matches(patterns.dropFirst(), lines.dropFirst())
  }

  /// Without colours, blanks at the ends of lines, and empty lines at both ends of the text.
  private static func normalized(_ lines: [String]) -> [String] {
    let lines = lines.map { line in
      let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
      return String(line[..<end]).replacing(#/\u{1B}\[[0-9;]*m/#, with: "").replacing(
        #/^[0-9]{2}:[0-9]{2}:[0-9]{2}  /#, with: "HH:MM:SS  ")
    }
    guard let first = lines.firstIndex(where: { !$0.isEmpty }),
      let last = lines.lastIndex(where: { !$0.isEmpty })
    else { return [] }
    return Array(lines[first...last])
  }
}
