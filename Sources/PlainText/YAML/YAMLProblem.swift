import CLibYAML

/// What libyaml finds wrong, said to a person.
enum YAMLProblem {
  static func error(of parser: yaml_parser_t, in source: SourceText, _ range: Range<Int>) -> TextError {
    switch parser.error {
    case YAML_MEMORY_ERROR: source.error(at: range.lowerBound, "There is not enough memory to read this file.")
    case YAML_READER_ERROR: readerError(parser, source, range)
    default: syntaxError(parser, source, range)
    }
  }

  /// The text is UTF-8 by then, so a character is at fault. libyaml gives bytes here.
  private static func readerError(_ parser: yaml_parser_t, _ source: SourceText, _ range: Range<Int>) -> TextError {
    let code = String(parser.problem_value, radix: 16, uppercase: true)
    let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    return source.error(
      at: range.lowerBound + parser.problem_offset,
      parser.problem_value == 0
        ? "A NUL character stands here: this is no text file, or a damaged one."
        : "The character \(name) is not allowed in YAML. Write it as an escape in double quotes, or take it out.")
  }

  private static func syntaxError(_ parser: yaml_parser_t, _ source: SourceText, _ range: Range<Int>) -> TextError {
    let problem = parser.problem.map { String(cString: $0) } ?? ""
    let context = parser.context.map { String(cString: $0) } ?? ""
    let start = parser.context_mark
    let mark = source.offset(ofCharacter: parser.problem_mark.index, from: range.lowerBound)
    let isAtEnd = source.bytes[mark..<range.upperBound].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    if isAtEnd {
      if let unclosed = unclosed(context) {
        return source.error(at: source.offset(ofCharacter: start.index, from: range.lowerBound), unclosed)
      }
      if let error = unclosedBracket(parser, source, range) { return error }
    }
    // A place beyond the last line is none that an editor can show.
    let offset = isAtEnd ? source.endOfContent(in: range) : mark
    let isTab = offset < range.upperBound && source.bytes[offset] == UInt8(ascii: "\t")
    if !isTab, context.hasPrefix("while parsing a flow"), let sentence = sentences[problem] {
      let opened = source.place(at: source.offset(ofCharacter: start.index, from: range.lowerBound))
      return source.error(at: offset, "\(sentence) It begins at line \(opened.line), column \(opened.column).")
    }
    return source.error(at: offset, isTab ? tabSentence : sentence(problem, context, column: parser.problem_mark.column))
  }

  /// The innermost bracket that is open where the text ends and a value was still expected.
  private static func unclosedBracket(_ parser: yaml_parser_t, _ source: SourceText, _ range: Range<Int>) -> TextError? {
    guard parser.flow_level > 0, let top = parser.marks.top, let bottom = parser.marks.start, top > bottom else { return nil }
    let offset = source.offset(ofCharacter: (top - 1).pointee.index, from: range.lowerBound)
    guard offset < range.upperBound else { return nil }
    switch source.bytes[offset] {
    case UInt8(ascii: "["): return source.error(at: offset, unclosedList)
    case UInt8(ascii: "{"): return source.error(at: offset, unclosedMap)
    default: return nil
    }
  }

  private static let unclosedList = "This list is never closed: its `]` is missing."
  private static let unclosedMap = "This map is never closed: its `}` is missing."

  private static let tabSentence = "A tab cannot indent, or begin a value, in YAML. Use blanks."

  private static let keySentence = "A `: ` is missing: this is no `key: value`, or its key has more than 1,024 characters."

  /// What was opened and runs to the end of the text.
  private static func unclosed(_ context: String) -> String? {
    switch context {
    case "while parsing a flow sequence": unclosedList
    case "while parsing a flow mapping": unclosedMap
    case "while scanning a quoted scalar": "This quoted text is never closed: its second quote is missing."
    default: nil
    }
  }

  /// libyaml forgets that a key may have begun after 1,024 characters, and then wonders about the `:`.
  private static func sentence(_ problem: String, _ context: String, column: Int) -> String {
    if column > 1_024, problem == "mapping values are not allowed in this context" { return keySentence }
    if context.contains("directive") || problem.contains("directive") || problem.contains("version") || problem.contains("YAML document") {
      return "A line that begins with % has to be `%YAML 1.2` or `%TAG` with a handle and a prefix. Leave it out."
    }
    return sentences[problem] ?? contextSentence(context) ?? "This is not YAML: \(problem)."
  }

  private static func contextSentence(_ context: String) -> String? {
    switch context {
    case "while scanning an anchor", "while scanning an alias":
      "A name after & or * is made of letters, digits, - and _. Put quotes around text that begins with & or *."
    case "while scanning a tag", "while parsing a tag":
      "This tag is malformed. Put quotes around text that begins with an exclamation mark."
    case "while scanning a block scalar":
      "After | or > stand only + or -, an indentation from 1 to 9, and a comment. Begin the text on the next line."
    default: nil
    }
  }

  private static let sentences = [
    "mapping values are not allowed in this context":
      "A `: ` cannot stand here. Put quotes around text that holds one, or begin the inner map on a line of its own, indented.",
    "block sequence entries are not allowed in this context": "A list entry `- ` cannot begin here. Begin the list on a line of its own.",
    "mapping keys are not allowed in this context":
      "A key `? ` cannot begin here. Put quotes around text that begins with a question mark.",
    "did not find expected key":
      "A key was expected here. Check how this line is indented, and whether a quote or bracket before it is not closed.",
    "did not find expected '-' indicator": "A list entry `- ` was expected here. Check how this line is indented.",
    "could not find expected ':'": keySentence,
    "did not find expected ',' or ']'": "A `,` or `]` was expected in this list in brackets.",
    "did not find expected ',' or '}'": "A `,` or `}` was expected in this map in braces.",
    "did not find expected node content": "A value was expected here.",
    "found character that cannot start any token": "A value cannot begin with this character. Put quotes around it.",
    "found a tab character that violates indentation": tabSentence,
    "found a tab character where an indentation space is expected": tabSentence,
    "found unexpected end of stream": "The text ends within quotes. Add the closing quote.",
    "found unexpected document indicator": "A `---` or `...` begins a line within quotes. Indent it, or close the quotes before.",
    "found unknown escape character": "There is no such escape. Write a backslash in double quotes as `\\\\`, or use single quotes.",
    "did not find expected hexdecimal number": "This escape lacks hexadecimal digits: \\x wants two, \\u four, \\U eight.",
    "found invalid Unicode character escape code":
      "This escape names no character. Write characters beyond U+FFFF as \\U and eight digits.",
    "found unexpected ':'": "A `:` cannot stand here. Put quotes around the text.",
    "did not find expected <document start>":
      "More text follows where the document has ended. Check for a stray line, or how it is indented.",
    "found undefined tag handle": "The prefix of this tag is not declared. Put quotes around text that begins with an exclamation mark.",
  ]
}
