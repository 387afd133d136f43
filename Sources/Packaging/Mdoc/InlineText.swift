/// The text of a paragraph or a cell: words with code, emphasis and links.
struct InlineText {
  /// Returns the manual page of a Markdown page that a link leads to; nil if there is none.
  let page: (String) -> ManualPage.Name?

  /// Returns the text as mdoc(7) source, in one line.
  func source(_ markdown: String) -> String {
    var source = ""
    var rest = markdown[...]
    while let character = rest.first {
      if character == "`", let code = code(&rest) {
        // Without `\&`, a full stop at the end of code would end the sentence.
        let guarded = code.last.map { ".!?".contains($0) } == true ? "\\&" : ""
        source += "\\fB\(MdocText.escaped(code, isCode: true))\(guarded)\\fP"
      } else if character == "[", let link = link(&rest) {
        source += link
      } else if rest.hasPrefix("**"), let text = span(&rest, "**") {
        source += "\\fB\(self.source(text))\\fP"
      } else if character == "*", let text = span(&rest, "*") {
        source += "\\fI\(self.source(text))\\fP"
      } else if character == "\\", let next = rest.dropFirst().first, "*_`|[]\\<".contains(next) {
        source += MdocText.escaped(String(next))
        rest.removeFirst(2)
      } else {
        source += MdocText.escaped(String(rest.removeFirst()))
      }
    }
    return source
  }

  /// Returns the text without any marks.
  func plain(_ markdown: String) -> String {
    source(markdown).replacing(/\\f[BIP]/, with: "")
  }

  /// Consumes a code span, whose backquotes may be doubled; nil if none is next.
  private func code(_ rest: inout Substring) -> String? {
    let mark = String(rest.prefix { $0 == "`" })
    let body = rest.dropFirst(mark.count)
    guard let end = body.firstRange(of: mark) else { return nil }
    rest = body[end.upperBound...]
    let code = body[..<end.lowerBound]
    return mark.count > 1 && code.hasPrefix(" ") && code.hasSuffix(" ") ? String(code.dropFirst().dropLast()) : String(code)
  }

  private func link(_ rest: inout Substring) -> String? {
    guard let match = rest.prefixMatch(of: /\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)]*)\)/) else { return nil }
    rest = rest[match.range.upperBound...]
    let text = source(String(match.1))
    if match.2.contains("://") { return "\(text) <\(MdocText.escaped(String(match.2), isCode: true))>" }
    guard let name = page(String(match.2)) else { return text }
    return "\(text) (\\fB\(MdocText.escaped(name.title, isCode: true))\\fP(\(name.section)))"
  }

  private func span(_ rest: inout Substring, _ mark: String) -> String? {
    let body = rest.dropFirst(mark.count)
    guard let first = body.first, first != " ", let end = body.firstRange(of: mark), !end.isEmpty else { return nil }
    rest = body[end.upperBound...]
    return String(body[..<end.lowerBound])
  }
}
