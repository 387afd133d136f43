/// Writes the source of a manual page in the language of mdoc(7).
struct MdocWriter {
  /// The source so far.
  private(set) var text = ""
  private let inline: InlineText
  /// True if a paragraph macro would be ignored: right after a heading, or at the start of an item.
  private var isAtStart = true

  /// Makes a writer without text.
  ///
  /// - Parameter inline: Translates the text of paragraphs.
  init(_ inline: InlineText) {
    self.inline = inline
  }

  /// Appends a line as it is.
  mutating func line(_ source: String) { text += "\(source)\n" }

  /// Appends the heading of a section.
  mutating func section(_ title: String) {
    line(".Sh \(inline.plain(title).uppercased(keepingEscapes: true))")
    isAtStart = true
  }

  /// Appends the heading of a subsection.
  mutating func subsection(_ title: String) {
    line(".Ss \(inline.plain(title))")
    isAtStart = true
  }

  /// Appends text, one sentence per line, as formatters expect it.
  mutating func prose(_ markdown: String) { lines(ofSource: inline.source(markdown)) }

  private mutating func lines(ofSource source: String) {
    for sentence in source.replacing(/([.!?][)"']*(?:\\fP)?[)"']*) +/, with: { "\($0.1)\n" }).split(separator: "\n") {
      for part in MdocWriter.wrapped(sentence) { line(MdocText.protected(part)) }
    }
    isAtStart = false
  }

  /// Returns lines of at most 79 bytes, unless a word is longer.
  private static func wrapped(_ text: Substring) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.utf8.count + word.utf8.count < 79 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Appends a paragraph.
  mutating func paragraph(_ markdown: String) {
    breakParagraph()
    prose(markdown)
  }

  private mutating func breakParagraph() {
    if !isAtStart { line(".Pp") }
    isAtStart = false
  }

  /// Appends lines that are shown as they are.
  mutating func code(_ lines: [String]) {
    line(isAtStart ? ".Bd -literal -offset indent -compact" : ".Bd -literal -offset indent")
    for code in lines { line(code.isEmpty ? "" : MdocText.protected(MdocText.escaped(code, isCode: true))) }
    line(".Ed")
    isAtStart = false
  }

  /// Appends a list of terms with their descriptions.
  ///
  /// - Parameter terms: The sources of the terms, as arguments of `.It`, and the descriptions.
  mutating func terms(_ terms: [(term: String, text: String)]) {
    line(".Bl -tag -width Ds")
    for (term, text) in terms {
      line(".It \(term)")
      isAtStart = true
      if !text.isEmpty { prose(text) }
    }
    line(".El")
    isAtStart = false
  }
}

// MARK: Blocks

extension MdocWriter {
  /// Appends the blocks of a Markdown page.
  ///
  /// - Parameter top: The level of the headings that begin a section. Those of the next level begin
  ///   a subsection, and deeper ones are lines in bold.
  mutating func blocks(_ blocks: [MarkdownBlock], top: Int = 2) {
    for block in blocks {
      switch block {
      case .heading(let level, let text) where level <= top: section(text)
      case .heading(let level, let text) where level == top + 1: subsection(text)
      case .heading(_, let text): paragraph("**\(text)**")
      case .paragraph(let text): paragraph(text)
      case .code(let lines): code(lines)
      case .list(let isNumbered, let items): list(items, isNumbered: isNumbered)
      case .table(let header, let rows): table(header, rows)
      }
    }
  }

  private mutating func list(_ items: [[MarkdownBlock]], isNumbered: Bool) {
    line(".Bl \(isNumbered ? "-enum" : "-bullet")\(isAtStart ? " -compact" : "")")
    for item in items {
      line(".It")
      isAtStart = true
      blocks(item)
    }
    line(".El")
    isAtStart = false
  }

  /// Appends a table as a list of terms: the first cell with those in the middle, then the last one.
  private mutating func table(_ header: [String], _ rows: [[String]]) {
    line(".Bl -tag -width Ds\(isAtStart ? " -compact" : "")")
    for row in rows {
      let middle = row.dropFirst().dropLast().filter { !$0.isEmpty }
      let notes = middle.isEmpty ? "" : " (\(middle.joined(separator: "; ")))"
      line(".It \(MdocWriter.quoted(inline.source((row.first ?? "") + notes)))")
      isAtStart = true
      if row.count > 1, let last = row.last, !last.isEmpty { prose(last) }
    }
    line(".El")
    isAtStart = false
  }

  /// Returns a source as one argument of a macro.
  private static func quoted(_ source: String) -> String { "\"\(source.replacing("\"", with: "\\(dq"))\"" }
}

extension String {
  /// Returns this mdoc(7) source in upper case, but with its escape sequences as they are.
  fileprivate func uppercased(keepingEscapes: Bool) -> String {
    replacing(/\\(?:\([a-z]{2}|\[[^\]]*\]|.)|[^\\]+/) { match in
      match.output.hasPrefix("\\") ? String(match.output) : match.output.uppercased()
    }
  }
}
