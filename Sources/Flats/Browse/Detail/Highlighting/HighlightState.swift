import Values

/// The language of a text in a pane.
enum TextLanguage: Sendable, Hashable {
  case yaml, json, markdown
  /// The difference of two files, as `git diff` prints it.
  case difference
  case plain

  init(_ format: TextFormat) {
    switch format {
    case .yaml: self = .yaml
    case .json: self = .json
    case .markdown: self = .markdown
    }
  }
}

/// The state of the highlighter at the start of a line: all that it knows of the lines before.
enum HighlightState: Sendable, Hashable {
  case yaml(YAMLHighlighter)
  case json
  case markdown(MarkdownHighlighter)
  case difference
  case plain

  /// Creates the state at the first line.
  ///
  /// - Parameters:
  ///   - bytes: The complete file.
  ///   - start: The offset of the first line.
  ///   - language: The language of the file.
  init(startOf bytes: UnsafeRawBufferPointer, from start: Int, _ language: TextLanguage) {
    switch language {
    case .yaml: self = .yaml(YAMLHighlighter())
    case .json: self = .json
    case .markdown: self = .markdown(MarkdownHighlighter(startOf: UnsafeRawBufferPointer(rebasing: bytes[start...])))
    case .difference: self = .difference
    case .plain: self = .plain
    }
  }

  /// Goes to the next line. Linear in the line.
  mutating func advance(over line: UnsafeRawBufferPointer) {
    switch self {
    case .json, .difference, .plain: return
    case .yaml, .markdown:
      var scanner = LineScanner(line, emits: false)
      scan(&scanner)
    }
  }

  /// Returns the spans of a line that begins in this state. Linear in the line.
  func spans(of line: String) -> [TextSpan] {
    var line = line
    return line.withUTF8 { bytes in
      var scanner = LineScanner(UnsafeRawBufferPointer(bytes), emits: true)
      var state = self
      state.scan(&scanner)
      return scanner.spans
    }
  }

  private mutating func scan(_ scanner: inout LineScanner) {
    switch self {
    case .yaml(var state):
      state.scan(&scanner)
      self = .yaml(state)
    case .markdown(var state):
      state.scan(&scanner)
      self = .markdown(state)
    case .json: JSONHighlighter.scan(&scanner)
    case .difference: DifferenceHighlighter.scan(&scanner)
    case .plain: break
    }
  }
}
