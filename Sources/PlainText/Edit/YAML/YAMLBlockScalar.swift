/// Texts of several lines, behind `|` or `>`.
struct YAMLBlockScalar {
  private let lines: [Substring]
  /// Line breaks at the end.
  private let trailing: Int
  private let end: End

  /// How the text goes on behind the block.
  enum End {
    case withLineBreak
    /// It ends there, and not with a line break.
    case nowhere
    /// The same, and a text without a line break at its end stands behind a bare `|` or `>`.
    case nowhereBare
  }

  /// Nil where the text has what a block cannot hold, or no line to show.
  init?(_ text: String, before end: End) {
    self.end = end
    guard text.unicodeScalars.allSatisfy({ $0 == "\n" || PlainScalar.isPrintable($0) }) else { return nil }
    let textEnd = text.utf8.lastIndex { $0 != 0x0A }.map { text.utf8.index(after: $0) } ?? text.startIndex
    trailing = text.utf8.distance(from: textEnd, to: text.endIndex)
    lines = text[..<textEnd].unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
    // Blanks alone, or at the front of the text, would be taken for indentation.
    guard textEnd > text.startIndex, lines.contains(where: { !$0.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }) else { return nil }
  }

  private var chomping: String {
    switch trailing {
    case 0: end == .nowhereBare ? "" : "-"
    case 1: ""
    default: "+"
    }
  }

  /// Empty lines of the text that stand at its end.
  private var emptyLines: [String] { [String](repeating: "", count: max(0, end == .withLineBreak ? trailing - 1 : trailing)) }

  /// `tail`: what stands behind the indicator, a comment perhaps. `column`: of the text; `parent`: of the key or dash.
  func literal(column: Int, parent: Int, tail: String) -> YAMLText? {
    let first = lines.first { !$0.isEmpty }
    let needsIndicator = first?.utf8.first == 0x20 || first?.utf8.first == 0x09
    let indent = column - max(parent, 0)
    guard !needsIndicator || (1...9).contains(indent) else { return nil }
    let spaces = String(repeating: " ", count: column)
    return YAMLText(
      inline: "|\(needsIndicator ? String(indent) : "")\(chomping)\(tail)", lines: lines.map { $0.isEmpty ? "" : spaces + $0 } + emptyLines)
  }

  /// Nil where a line begins with a blank, which folding would keep apart. Lines are broken at single spaces before they grow longer than `width`.
  func folded(column: Int, tail: String, width: Int) -> YAMLText? {
    guard lines.first?.isEmpty == false, lines.allSatisfy({ $0.utf8.first != 0x20 && $0.utf8.first != 0x09 }) else { return nil }
    let spaces = String(repeating: " ", count: column)
    var folded: [String] = []
    for line in lines {
      if line.isEmpty {
        folded.append("")
      } else {
        if !folded.isEmpty { folded.append("") }
        folded += YAMLBlockScalar.wrapped(line, to: max(width - column, 20)).map { spaces + $0 }
      }
    }
    return YAMLText(inline: ">\(chomping)\(tail)", lines: folded + emptyLines)
  }

  private static func wrapped(_ line: Substring, to width: Int) -> [String] {
    let words = line.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
    var lines: [String] = []
    var current = ""
    var length = 0
    var canBreak = false
    for (index, word) in words.enumerated() {
      // A run of spaces would be lost at a break.
      if canBreak, !word.isEmpty, length + 1 + word.count > width {
        lines.append(current)
        (current, length) = ("", 0)
      } else if index > 0 {
        current += " "
        length += 1
      }
      current.unicodeScalars.append(contentsOf: word)
      length += word.count
      canBreak = !word.isEmpty
    }
    return lines + [current]
  }
}
