/// A block of a Markdown page, of the kinds that the pages in `docs` use.
enum MarkdownBlock: Equatable {
  case heading(level: Int, text: String)
  case paragraph(String)
  /// The lines of a code block.
  case code([String])
  /// The items of a list.
  case list(isNumbered: Bool, items: [[MarkdownBlock]])
  /// The cells of a table.
  case table(header: [String], rows: [[String]])
}

extension [MarkdownBlock] {
  /// Returns the blocks below the first heading of level 2 with this text, without the heading; nil
  /// if there is none.
  func section(_ title: String) -> [MarkdownBlock]? {
    guard let start = firstIndex(of: .heading(level: 2, text: title)) else { return nil }
    return Array(self[(start + 1)...].prefix { !$0.isSectionStart })
  }

  /// Returns the blocks without the sections with these titles.
  func removingSections(_ titles: Set<String>) -> [MarkdownBlock] {
    var isKept = true
    return filter { block in
      if case .heading(let level, let text) = block, level <= 2 { isKept = !titles.contains(text) }
      return isKept
    }
  }
}

extension MarkdownBlock {
  /// True for a heading of level 1 or 2.
  var isSectionStart: Bool {
    if case .heading(let level, _) = self { level <= 2 } else { false }
  }
}
