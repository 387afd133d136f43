import CLibYAML

extension YAMLParser {
  /// The error that libyaml found; at the end of the text, at the bracket or quote that is open.
  func failure(of parser: yaml_parser_t) -> TextError {
    switch parser.error {
    case YAML_MEMORY_ERROR: source.error(at: range.lowerBound, YAMLParser.memorySentence)
    case YAML_READER_ERROR: readerError(parser)
    default: syntaxError(parser)
    }
  }

  static let memorySentence = "There is not enough memory to read this file."

  /// A character that YAML does not allow. The text is valid UTF-8, and libyaml counts bytes here.
  private func readerError(_ parser: yaml_parser_t) -> TextError {
    let code = String(parser.problem_value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    return source.error(
      at: range.lowerBound + parser.problem_offset,
      parser.problem_value == 0
        ? "A NUL character is not allowed. This is not a text file, or it is damaged."
        : "The character \(name) is not allowed in YAML. Write it as an escape in double quotes, or "
          + "remove it."
    )
  }

  private func syntaxError(_ parser: yaml_parser_t) -> TextError {
    let problem = parser.problem.map { String(cString: $0) } ?? ""
    let context = parser.context.map { String(cString: $0) } ?? ""
    let start = parser.context_mark
    let mark = offset(of: parser.problem_mark)
    let isAtEnd = source.bytes[mark..<range.upperBound].allSatisfy {
      $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D
    }
    if isAtEnd {
      if let unclosed = YAMLParser.unclosed(context) {
        return error(at: start, unclosed)
      }
      if let error = unclosedBracket(parser) { return error }
    }
    // An editor cannot show a place after the last line.
    let offset = isAtEnd ? source.endOfContent(in: range) : mark
    let isTab = offset < range.upperBound && source.bytes[offset] == "\t"
    if !isTab, context.hasPrefix("while parsing a flow"), context != "while parsing a flow node",
      let sentence = YAMLParser.sentences[problem]
    {
      let opened = place(ofCharacter: start.index)
      return source.error(
        at: offset, "\(sentence) It begins at line \(opened.line), column \(opened.column).")
    }
    return source.error(
      at: offset,
      isTab
        ? YAMLParser.tabSentence
        : YAMLParser.sentence(problem, context, column: parser.problem_mark.column))
  }

  private func unclosedBracket(_ parser: yaml_parser_t) -> TextError? {
    guard parser.flow_level > 0, let top = parser.marks.top, let bottom = parser.marks.start, top > bottom
    else { return nil }
    let offset = offset(of: (top - 1).pointee)
    guard offset < range.upperBound else { return nil }
    switch source.bytes[offset] {
    case "[": return source.error(at: offset, SourceText.unclosedList)
    case "{": return source.error(at: offset, SourceText.unclosedMap)
    default: return nil
    }
  }

  private static let tabSentence = "A tab cannot indent or begin a value in YAML. Use spaces."

  private static let keySentence =
    "This line is not `key: value`: the `: ` is missing, or the key has more than 1,024 characters."

  private static func unclosed(_ context: String) -> String? {
    switch context {
    case "while parsing a flow sequence": SourceText.unclosedList
    case "while parsing a flow mapping": SourceText.unclosedMap
    case "while scanning a quoted scalar": "This string is not closed. Add the closing quote."
    default: nil
    }
  }

  /// libyaml forgets after 1,024 characters that a key may have begun, and then rejects the `:`.
  private static func sentence(_ problem: String, _ context: String, column: Int) -> String {
    if column > 1_024, problem == "mapping values are not allowed in this context" { return keySentence }
    let words = "\(context) \(problem)".split(separator: " ")
    if ["directive", "version", "YAML"].contains(where: words.contains) {
      return
        "A line that begins with % must be `%YAML 1.2` or `%TAG` with a handle and a prefix. Correct or remove it."
    }
    return sentences[problem] ?? contextSentence(context) ?? "This is not valid YAML: \(problem)."
  }

  private static func contextSentence(_ context: String) -> String? {
    switch context {
    case "while scanning an anchor", "while scanning an alias":
      "A name after & or * consists of letters, digits, - and _. Put quotes around a string that begins with & or *."
    case "while scanning a tag", "while parsing a tag":
      "This tag is malformed. Put quotes around a string that begins with an exclamation mark."
    case "while scanning a block scalar":
      "Only + or -, an indentation from 1 to 9 and a comment can follow | or >. Begin the string on the next line."
    default: nil
    }
  }

  private static let sentences = [
    "mapping values are not allowed in this context":
      "A `: ` is not allowed here. Put quotes around a string that contains it, or begin the inner map "
      + "on its own line, indented.",
    "block sequence entries are not allowed in this context":
      "A list element `- ` cannot begin here. Begin the list on its own line.",
    "mapping keys are not allowed in this context":
      "A key `? ` cannot begin here. Put quotes around a string that begins with a question mark.",
    "did not find expected key":
      "A key was expected here. Check the indentation of this line, and whether a quote or bracket "
      + "before it is not closed.",
    "did not find expected '-' indicator":
      "A list element `- ` was expected here. Check the indentation of this line.",
    "could not find expected ':'": keySentence,
    "did not find expected ',' or ']'": "A `,` or `]` was expected here in a list in brackets.",
    "did not find expected ',' or '}'": "A `,` or `}` was expected here in a map in braces.",
    "did not find expected node content": "A value was expected here. Add it, or put quotes around a string.",
    "found character that cannot start any token":
      "A value cannot begin with this character. Put quotes around it.",
    "found a tab character that violates indentation": tabSentence,
    "found a tab character where an indentation space is expected": tabSentence,
    "found unexpected end of stream": "This string is not closed. Add the closing quote.",
    "found unexpected document indicator":
      "A line inside quotes begins with `---` or `...`. Indent it, or close the quotes before it.",
    "found unknown escape character":
      "This escape does not exist in YAML. Write a backslash in double quotes as `\\\\`, or use single "
      + "quotes.",
    "did not find expected hexdecimal number":
      "This escape has too few hexadecimal digits. Write two after \\x, four after \\u, eight after \\U.",
    "found invalid Unicode character escape code":
      "This escape is not a character. Write characters beyond U+FFFF as \\U and eight digits.",
    "found unexpected ':'": "A `:` is not allowed here. Put quotes around the string.",
    "did not find expected <document start>":
      "More text follows after the end of the document. Check for a stray line, and the indentation.",
    "found undefined tag handle":
      "The prefix of this tag is not declared. Put quotes around a string that begins with an "
      + "exclamation mark.",
  ]
}
