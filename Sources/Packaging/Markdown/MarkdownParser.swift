/// Reads the Markdown that the pages in `docs` use. HTML comments and images are left out.
struct MarkdownParser {
  private var lines: ArraySlice<Substring>

  /// Returns the blocks of a page.
  static func blocks(of text: String) -> [MarkdownBlock] {
    var parser = MarkdownParser(lines: text.split(separator: "\n", omittingEmptySubsequences: false)[...])
    return parser.blocks()
  }

  private mutating func blocks() -> [MarkdownBlock] {
    var blocks: [MarkdownBlock] = []
    while let line = lines.first {
      if line.allSatisfy({ $0 == " " }) || line.hasPrefix("![") {
        lines.removeFirst()
      } else if line.hasPrefix("<!--") {
        skipComment()
      } else if line.hasPrefix("```") {
        blocks.append(.code(codeLines()))
      } else if line.hasPrefix("#") {
        lines.removeFirst()
        let level = line.prefix { $0 == "#" }.count
        blocks.append(.heading(level: level, text: String(line.dropFirst(level).drop { $0 == " " })))
      } else if line.hasPrefix("|") {
        blocks.append(table())
      } else if let marker = MarkdownParser.marker(of: line) {
        blocks.append(list(isNumbered: marker.isNumbered))
      } else {
        blocks.append(.paragraph(paragraph()))
      }
    }
    return blocks
  }

  private mutating func skipComment() {
    while let line = lines.popFirst() {
      if line.hasSuffix("-->") { return }
    }
  }

  private mutating func codeLines() -> [String] {
    lines.removeFirst()
    let code = lines.prefix { !$0.hasPrefix("```") }.map(String.init)
    lines = lines.dropFirst(code.count + 1)
    return code
  }

  private mutating func paragraph() -> String {
    var words: [Substring] = []
    while let line = lines.first, !line.allSatisfy({ $0 == " " }), !line.hasPrefix("```"), !line.hasPrefix("<!--"),
      words.isEmpty || !line.hasPrefix("|") && MarkdownParser.marker(of: line) == nil
    {
      words.append(lines.removeFirst().drop { $0 == " " })
    }
    return words.joined(separator: " ")
  }
}

// MARK: Lists

extension MarkdownParser {
  /// Returns the kind and the width of the marker that begins a list item; nil for another line.
  private static func marker(of line: Substring) -> (isNumbered: Bool, width: Int)? {
    if line.hasPrefix("- ") { return (false, 2) }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && line.dropFirst(digits.count).hasPrefix(". ") ? (true, digits.count + 2) : nil
  }

  private mutating func list(isNumbered: Bool) -> MarkdownBlock {
    var items: [[MarkdownBlock]] = []
    while let line = lines.first, let marker = MarkdownParser.marker(of: line), marker.isNumbered == isNumbered {
      items.append(item(marker.width))
      let next = lines.drop { $0.isEmpty }
      // A blank line may separate two items.
      if let line = next.first, MarkdownParser.marker(of: line)?.isNumbered == isNumbered { lines = next }
    }
    return .list(isNumbered: isNumbered, items: items)
  }

  /// Reads the item whose first line is next. Its other lines are indented.
  private mutating func item(_ width: Int) -> [MarkdownBlock] {
    var own = [lines.removeFirst().dropFirst(width)]
    while let line = lines.first {
      let isIndented = line.hasPrefix(String(repeating: " ", count: width))
      let isInside = line.isEmpty && lines.dropFirst().first?.hasPrefix("  ") == true
      guard isIndented || isInside else { break }
      own.append(lines.removeFirst().dropFirst(isIndented ? width : 0))
    }
    var parser = MarkdownParser(lines: own[...])
    return parser.blocks()
  }
}

// MARK: Tables

extension MarkdownParser {
  private mutating func table() -> MarkdownBlock {
    let rows = lines.prefix { $0.hasPrefix("|") }
    lines = lines.dropFirst(rows.count)
    return .table(header: MarkdownParser.cells(of: rows.first ?? ""), rows: rows.dropFirst(2).map(MarkdownParser.cells))
  }

  /// Returns the cells of a row. `\|` is a bar inside of a cell.
  static func cells(of row: Substring) -> [String] {
    var cells = [""]
    var isEscaped = false
    for character in row.drop(while: { $0 == " " }).dropFirst() {
      switch character {
      case "|" where !isEscaped: cells.append("")
      case "|": cells[cells.count - 1] = cells[cells.count - 1].dropLast() + "|"
      default: cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    if cells.last?.allSatisfy({ $0 == " " }) == true { cells.removeLast() }
    return cells.map { cell in
      String(String(cell.drop { $0 == " " }.reversed()).drop { $0 == " " }.reversed())
    }
  }
}
