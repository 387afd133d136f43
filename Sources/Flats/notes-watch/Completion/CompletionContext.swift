import ArgumentParser

struct CompletionContext {
  private(set) var target = CompletionTarget.nothing
  /// The first positional word after the command: the folder.
  private(set) var folder: String?
  /// The values of the options before the current word, by the first long name of each.
  private(set) var values: [String: String] = [:]

  private let words: [String]
  private let current: String
  private var path: [String] = []
  private var options = CommandOptions(of: NotesWatch.self)
  private var command: any ParsableCommand.Type = NotesWatch.self
  private var positionals: [String] = []
  private var given: Set<Int> = []
  private var hasDashes = false

  init(_ words: [String], current: String) {
    self.words = words
    self.current = current
    target = findTarget()
    folder = positionals.first
  }

  private mutating func findTarget() -> CompletionTarget {
    let start = findCommand()
    let isHelp = words.first == "help"
    if isHelp || !path.isEmpty && !command.configuration.subcommands.isEmpty {
      return words.count == start ? .words(CompletionContext.commands(of: command)) : .nothing
    }
    options = CommandOptions(of: path.isEmpty ? WatchCommand.self : command)
    var index = start
    while index < words.count {
      if words[index] == "--", !hasDashes {
        hasDashes = true
        if isWatch { return .command(at: index + 1) }
      } else if !hasDashes, words[index].hasPrefix("-"), words[index] != "-" {
        if let option = readOption(&index) { return value(of: option, after: "") }
      } else {
        positionals.append(words[index])
      }
      index += 1
    }
    if !hasDashes, current.hasPrefix("-") { return optionTarget() }
    return positionalTarget()
  }

  private var isWatch: Bool { path.isEmpty || path == ["watch"] }

  private mutating func findCommand() -> Int {
    var index = words.first == "help" ? 1 : 0
    while index < words.count,
      let next = command.configuration.subcommands.first(where: {
        $0.configuration.commandName == words[index]
      })
    {
      command = next
      path.append(words[index])
      index += 1
    }
    return index
  }

  private mutating func readOption(_ index: inout Int) -> CommandOptions.Option? {
    let word = words[index]
    let name = String(word.prefix { $0 != "=" })
    guard let number = options.number(of: name) else { return nil }
    given.insert(number)
    let option = options.all[number]
    guard option.hasValue, !(name == word && BareOptions.name(in: word) != nil) else { return nil }
    let key = option.names.first { $0.hasPrefix("--") } ?? name
    if name != word {
      values[key] = String(word.dropFirst(name.count + 1))
    } else if index + 1 < words.count {
      index += 1
      values[key] = words[index]
    } else {
      return option
    }
    return nil
  }

  private static func commands(of command: any ParsableCommand.Type) -> [Candidate] {
    command.configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }.map {
      Candidate(text: $0.commandName ?? "", about: $0.abstract)
    }
  }
}

// MARK: Options

extension CompletionContext {
  private func optionTarget() -> CompletionTarget {
    if let equals = current.firstIndex(of: "="), let number = options.number(of: String(current[..<equals])) {
      return value(of: options.all[number], after: String(current[...equals]))
    }
    let names = options.all.enumerated().filter { number, option in
      option.isShown && (option.isRepeating || !given.contains(number))
    }
    return .words(
      names.flatMap { _, option in
        let isBare = option.names.contains { BareOptions.name(in: $0) != nil }
        return option.names.filter { $0.hasPrefix("--") || current == "-" }.map {
          Candidate(text: $0, about: option.about)
        }
          + (isBare
            ? option.names.map { Candidate(text: "\($0)=", about: option.about, isPartial: true) } : [])
      })
  }

  /// - Parameter start: The part of the current word before the value: `--sort=`.
  private func value(of option: CommandOptions.Option, after start: String) -> CompletionTarget {
    if !option.values.isEmpty { return .words(option.values.map { Candidate(text: start + $0) }) }
    let value = String(current.dropFirst(start.count))
    switch (option.names.first { $0.hasPrefix("--") } ?? "", option.valueName) {
    case ("--view", _): return .data(.views, after: start)
    case ("--sort", _): return list(value, start, mayReverse: true)
    case ("--section", _): return list(value, start, mayReverse: true, isOne: true)
    case ("--section-order", _): return .data(.sections, after: start + CompletionContext.listHead(value))
    case ("--where", _):
      let head = value.lastIndex { $0 == " " || $0 == "(" }.map { String(value[...$0]) } ?? ""
      let isStart =
        head.isEmpty || head.hasSuffix("(")
        || ["AND ", "OR ", "NOT ", "ANY ", "ALL ", "NONE "].contains(where: head.hasSuffix)
      return isStart
        ? .data(.fields(before: "", after: " ", hasPseudoFields: true), after: start + head) : .nothing
    case ("--query", _):
      let head = value.lastIndex { " (-".contains($0) }.map { String(value[...$0]) } ?? ""
      return .data(.fields(before: "", after: ":", hasPseudoFields: true), after: start + head)
    case ("--id-field", _): return list(value, start, hasPseudoFields: false)
    case (_, "FIELDS"): return list(value, start)
    case (_, "FILE"), (_, "PATH"): return start.isEmpty ? .files : .nothing
    case (_, "DIR"): return start.isEmpty ? .folders([]) : .nothing
    default: return .nothing
    }
  }

  private func list(
    _ value: String, _ start: String, mayReverse: Bool = false, isOne: Bool = false,
    hasPseudoFields: Bool = true
  ) -> CompletionTarget {
    let head = isOne ? "" : CompletionContext.listHead(value)
    let isReversed = mayReverse && value.dropFirst(head.count).hasPrefix("-")
    return .data(
      .fields(before: isReversed ? "-" : "", after: "", hasPseudoFields: hasPseudoFields), after: start + head
    )
  }

  private static func listHead(_ value: String) -> String {
    value.lastIndex(of: ",").map { String(value[...$0]) } ?? ""
  }
}

// MARK: Words without an option

extension CompletionContext {
  private func positionalTarget() -> CompletionTarget {
    let name = path.joined(separator: " ")
    if positionals.isEmpty {
      // Without a command, the first word is a command or a folder.
      let commands =
        words.isEmpty ? CompletionContext.commands(of: NotesWatch.self) + [Candidate(text: "help")] : []
      return options.words.first == "DIR" ? .folders(commands) : wordTarget(options.words.first)
    }
    let count = positionals.count
    switch name {
    case "get", "rm", "edit": return .data(.ids, after: "")
    case "log": return count == 1 ? .data(.ids, after: "") : .nothing
    case "add": return count == 1 ? .data(.folders, after: "") : fields(after: "=")
    case "set", "unset":
      let end = name == "set" ? "=" : ""
      if count == 1 { return .data(.ids, after: "") }
      return hasDashes || current.contains("=")
        ? fields(after: end) : .data(.idsOrFields(after: end), after: "")
    case "diff":
      if count > 2 { return .nothing }
      let range = current.ranges(of: "..").last.map { range in
        current[range.upperBound...].hasPrefix(".")
          ? current.index(after: range.upperBound) : range.upperBound
      }
      return .data(.revisions, after: range.map { String(current[..<$0]) } ?? "")
    default: return options.words.indices.contains(count) ? wordTarget(options.words[count]) : .nothing
    }
  }

  private func fields(after end: String) -> CompletionTarget {
    current.contains("=")
      ? .nothing : .data(.fields(before: "", after: end, hasPseudoFields: false), after: "")
  }

  private func wordTarget(_ placeholder: String?) -> CompletionTarget {
    switch placeholder {
    case "DIR": .folders([])
    case "FILE", "PATH": .files
    default: .nothing
    }
  }
}
