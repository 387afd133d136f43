/// The parts of a page about a command.
extension MdocWriter {
  /// Appends the usage lines of a command.
  mutating func synopsis(_ command: ProgramCommand) {
    section("SYNOPSIS")
    for usage in command.usage { line(UsageLine(usage).source) }
  }

  /// Appends the options of a command, in the groups of its help.
  mutating func options(_ command: ProgramCommand) {
    let words = command.arguments.filter { $0.names.isEmpty && !$0.abstract.isEmpty }
    if !words.isEmpty {
      section("ARGUMENTS")
      terms(words.map { ("Ar \(MdocText.argument($0.valueName ?? "WORD"))", $0.sentence) })
    }
    var groups: [(title: String, options: [ProgramCommand.Argument])] = []
    for option in command.arguments where !option.names.isEmpty {
      let title = option.group ?? "Options"
      if let index = groups.firstIndex(where: { $0.title == title }) {
        groups[index].options.append(option)
      } else {
        groups.append((title, [option]))
      }
    }
    guard !groups.isEmpty else { return }
    section("OPTIONS")
    // The options that every command has come last, as in the help.
    for group in groups.filter({ $0.title != "Options" }) + groups.filter({ $0.title == "Options" }) {
      if groups.count > 1 { subsection(group.title == "Options" ? "Other options" : group.title) }
      terms(group.options.map { ($0.term, $0.sentence) })
    }
  }

  /// Appends a command that is below another one and has no page of its own.
  mutating func child(_ command: ProgramCommand) {
    subsection(command.path.dropFirst().joined(separator: " "))
    code(command.usage.map { String($0.drop { $0 == " " }) })
    paragraph(command.abstract)
    let parts = command.discussionParts
    blocks(parts.texts)
    let options = command.arguments.filter { !$0.names.isEmpty && !["--help", "--version"].contains($0.names.last ?? "") }
    if !options.isEmpty { terms(options.map { ($0.term, $0.sentence) }) }
    if !parts.examples.isEmpty { code(parts.examples) }
  }

  /// Appends the examples of a command, if it has any.
  mutating func examples(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    section("EXAMPLES")
    code(lines)
  }

  /// Appends sections of a Markdown page under their own titles.
  mutating func sections(_ titles: [String], of page: [MarkdownBlock]) {
    for title in titles {
      guard let blocks = page.section(title) else { continue }
      section(title)
      self.blocks(blocks.withoutOptions)
    }
  }

  /// Appends a Markdown page. What comes before its first section is its description.
  mutating func topic(_ blocks: [MarkdownBlock]) {
    section("DESCRIPTION")
    self.blocks(Array(blocks.dropFirst()), top: 1)
  }
}

extension ProgramCommand.Argument {
  /// The option as the arguments of `.It`.
  fileprivate var term: String {
    let value = valueName.map { hasOptionalValue ? " Ns Oo Ns = Ns Ar \(MdocText.argument($0)) Oc" : " Ar \(MdocText.argument($0))" } ?? ""
    return names.map { "Fl \(MdocText.escaped(String($0.dropFirst()), isCode: true))" }.joined(separator: " , ") + value
  }

  /// Its description, with its values and its default as the help shows them.
  fileprivate var sentence: String {
    var notes: [String] = []
    if !values.isEmpty { notes.append("values: " + values.map { "`\($0)`" }.joined(separator: ", ")) }
    if let defaultValue { notes.append("default: `\(defaultValue)`") }
    return notes.isEmpty ? abstract : "\(abstract) (\(notes.joined(separator: "; ")))"
  }
}

extension ProgramCommand {
  /// The discussion: its paragraphs, its tables under their titles in capitals, and the lines of its
  /// examples.
  var discussionParts: (texts: [MarkdownBlock], tables: [(title: String, lines: [String])], examples: [String]) {
    var texts: [MarkdownBlock] = []
    var tables: [(String, [String])] = []
    var examples: [String] = []
    for part in discussion.split(separator: "\n\n") {
      let lines = part.split(separator: "\n").map(String.init)
      guard lines.count > 1, let title = lines.first, lines.dropFirst().allSatisfy({ $0.hasPrefix("  ") }) else {
        texts.append(.paragraph(lines.joined(separator: " ")))
        continue
      }
      if title.contains(where: \.isLowercase) {
        texts.append(.code(lines))
        continue
      }
      let body = lines.dropFirst().map { String($0.dropFirst(2)) }
      if title.hasPrefix("EXAMPLE") { examples += body } else { tables.append((title, body)) }
    }
    return (texts, tables, examples)
  }
}

extension [MarkdownBlock] {
  /// These blocks without the usage and without the tables of options, which a page has already.
  var withoutOptions: [MarkdownBlock] {
    var kept: [MarkdownBlock] = []
    for block in self {
      switch block {
      case .table(let header, _) where header.first == "option":
        // The sentence that announces the table goes with it.
        if case .paragraph(let text)? = kept.last, text.hasSuffix(":") { kept.removeLast() }
      case .paragraph(let text) where kept.isEmpty && text.hasPrefix("`notes-watch ") && text.hasSuffix("`"): break
      default: kept.append(block)
      }
    }
    return kept
  }
}
