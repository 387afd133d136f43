/// Writes strings of several lines as block scalars, after `|` or `>`.
struct YAMLBlockScalar {
  private let lines: [Substring]
  private let trailing: Int
  private let end: End

  /// How the text continues after the block scalar.
  enum End {
    /// A line break follows.
    case withLineBreak
    /// The text ends with the block scalar, without a line break.
    case nowhere
    /// The text ends as with `nowhere`, and a string without a final line break has no chomping
    /// indicator.
    case nowhereBare
  }

  /// Returns nil if a block scalar cannot contain the string, or if the string has no visible line.
  init?(_ text: String, before end: End) {
    self.end = end
    guard text.unicodeScalars.allSatisfy({ $0 == "\n" || YAMLString.isPrintable($0) }) else { return nil }
    let textEnd = text.utf8.lastIndex { $0 != 0x0A }.map { text.utf8.index(after: $0) } ?? text.startIndex
    trailing = text.utf8.distance(from: textEnd, to: text.endIndex)
    lines = text[..<textEnd].unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      Substring($0)
    }
    // A string of spaces alone would be read as indentation.
    guard textEnd > text.startIndex,
      lines.contains(where: { !$0.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } })
    else { return nil }
  }

  private var chomping: String {
    switch trailing {
    case 0: end == .nowhereBare ? "" : "-"
    case 1: ""
    default: "+"
    }
  }

  /// The lines for the line breaks at the end of the string.
  private var emptyLines: [String] {
    [String](repeating: "", count: max(0, end == .withLineBreak ? trailing - 1 : trailing))
  }

  /// Writes the string after `|`. Returns nil if it would need an indentation indicator that does
  /// not exist.
  ///
  /// - Parameters:
  ///   - column: the column of the lines.
  ///   - parent: the column of the key or dash.
  ///   - tail: the text after the indicator, such as a comment.
  func literal(column: Int, parent: Int, tail: String) -> YAMLText? {
    let first = lines.first { !$0.isEmpty }
    let needsIndicator = first?.utf8.first == 0x20 || first?.utf8.first == 0x09
    let indent = column - max(parent, 0)
    guard !needsIndicator || (1...9).contains(indent) else { return nil }
    let spaces = String(repeating: " ", count: column)
    return YAMLText(
      inline: "|\(needsIndicator ? String(indent) : "")\(chomping)\(tail)",
      lines: lines.map { $0.isEmpty ? "" : spaces + $0 } + emptyLines)
  }

  /// Writes the string after `>`, with lines broken at single spaces before they exceed `width`.
  /// Returns nil if a line begins with a space or tab, because such lines are not folded.
  func folded(column: Int, tail: String, width: Int) -> YAMLText? {
    guard lines.first?.isEmpty == false, lines.allSatisfy({ $0.utf8.first != 0x20 && $0.utf8.first != 0x09 })
    else { return nil }
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
      // A run of spaces would be lost at a line break.
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
