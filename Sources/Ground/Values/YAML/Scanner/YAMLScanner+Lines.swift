extension YAMLScanner {
  /// Moves to the next line with content. Returns its column; nil at the end of the text.
  mutating func advanceToContent() throws(Declined) -> Int? {
    while true {
      let start = position
      skipSpaces()
      guard position < count else { return nil }
      switch byte(at: position) {
      case "\n": position += 1
      case "#": skipToLineEnd()
      case "\t": throw Declined()
      default:
        if position == start, isDocumentMark { throw Declined() }
        lineStart = start
        return position - start
      }
    }
  }

  /// Moves past a line `---` that only blank lines and comments precede.
  mutating func skipDocumentStart() throws(Declined) {
    while true {
      let start = position
      skipSpaces()
      guard position < count else { return }
      switch byte(at: position) {
      case "\n": position += 1
      case "#": skipToLineEnd()
      case "-" where position == start && isDocumentMark:
        position += 3
        return try finishLine()
      default:
        position = start
        return
      }
    }
  }

  /// True at three dashes or dots, which begin or end a document in the first column.
  var isDocumentMark: Bool {
    guard count - position >= 3, byte(at: position) == byte(at: position + 1),
      byte(at: position) == byte(at: position + 2)
    else {
      return false
    }
    return byte(at: position) == "-" || byte(at: position) == "."
  }

  /// Returns true if `mark` is at `index`, followed by a blank or the end of the text.
  func isIndicator(at index: Int, _ mark: Unicode.Scalar) -> Bool {
    guard byte(at: index) == UInt8(ascii: mark) else { return false }
    guard index + 1 < count else { return true }
    return byte(at: index + 1) == " " || byte(at: index + 1) == "\n"
      || byte(at: index + 1) == "\t"
  }

  mutating func skipSpaces() {
    while position < count, byte(at: position) == " " { position += 1 }
  }

  /// Moves past the rest of the line after a value: only spaces and a comment may follow.
  mutating func finishLine() throws(Declined) {
    skipSpaces()
    guard position < count else { return }
    switch byte(at: position) {
    case "\n": position += 1
    case "#" where position > 0 && byte(at: position - 1) == " ":
      position = min(lineEnd(from: position) + 1, count)
    default: throw Declined()
    }
  }

  mutating func skipToLineEnd() { position = lineEnd(from: position) }

  func lineEnd(from start: Int) -> Int {
    let start = min(start, count)
    return bytes(start..<count).firstOffset(of: UInt8(ascii: "\n"), in: 0..<count - start).map { start + $0 }
      ?? count
  }
}
