import ArgumentParser
import Files
import Glibc
import PlainStore
import Values

/// A mistake that the argument parser accepts or explains badly: a mistyped command, an option
/// given twice, an id with a leading dash, a command to run without `--`.
struct CommandLineMistake {
  /// A sentence that says what is wrong and what to write.
  let message: String
  /// The command whose usage helps.
  let command: any ParsableCommand.Type

  /// Finds the first mistake in a command line; nil if there is none.
  init?(_ arguments: [String]) {
    if let mistake = Self.mistypedCommand(arguments) ?? Self.unknownCommand(arguments[...]) ?? Self.wrongWord(arguments) {
      self = mistake
    } else {
      return nil
    }
  }

  private init(_ message: String, in command: any ParsableCommand.Type) {
    self.message = message
    self.command = command
  }
}

// MARK: Commands

extension CommandLineMistake {
  /// A first word that is neither a command nor a folder, and resembles a command, means one in
  /// other programs, or stands before a folder.
  private static func mistypedCommand(_ arguments: [String]) -> CommandLineMistake? {
    let commands = NotesWatch.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let word = arguments.first, !word.hasPrefix("-"), !word.contains("/"), !commands.contains(word), access(word, F_OK) != 0
    else { return nil }
    let advice: String
    if let known = ForeignWords.advice(for: word) {
      advice = known
    } else if let command = commands.nearest(to: word) {
      advice = "Did you mean `notes-watch \(command)`?"
    } else if arguments.count > 1, !arguments[1].hasPrefix("-"), access(arguments[1], F_OK) == 0 {
      advice = "The commands are \(commands.joined(separator: ", "))."
    } else {
      return nil
    }
    return CommandLineMistake("There is no folder and no command `\(word)`. \(advice)", in: NotesWatch.self)
  }

  /// A word that must be a command and is not: after `help`, and after a command that only groups
  /// others.
  private static func unknownCommand(_ arguments: ArraySlice<String>) -> CommandLineMistake? {
    var command: any ParsableCommand.Type = NotesWatch.self
    let isHelp = arguments.first == "help"
    for word in isHelp ? arguments.dropFirst() : arguments {
      let commands = command.configuration.subcommands
      let path = command == NotesWatch.self ? "" : " \(command.configuration.commandName ?? "")"
      if commands.isEmpty || word.hasPrefix("-") || !path.isEmpty && word == "help" { return nil }
      guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
        // Without `help`, the first word may be a folder.
        if path.isEmpty, !isHelp { return nil }
        let names = commands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        let nearest = names.nearest(to: word).map { " Did you mean `\($0)`?" } ?? ""
        let message = "There is no command `notes-watch\(path) \(word)`.\(nearest) The commands are \(names.joined(separator: ", "))."
        return CommandLineMistake(message, in: command)
      }
      command = next
    }
    return nil
  }
}

// MARK: Options and other words

extension CommandLineMistake {
  /// The commands that take ids. An id may begin with a dash.
  private static let commandsWithIDs: Set<String> = ["get", "add", "set", "unset", "rm", "edit", "log"]

  private static func wrongWord(_ arguments: [String]) -> CommandLineMistake? {
    let words = arguments.prefix { $0 != "--" }
    var commands = NotesWatch.configuration.subcommands
    var command: any ParsableCommand.Type = WatchCommand.self
    var path = ""
    var rest = words[...]
    while let word = rest.first, let named = commands.first(where: { $0.configuration.commandName == word }) {
      command = named
      commands = named.configuration.subcommands
      path += path.isEmpty ? word : " \(word)"
      rest = rest.dropFirst()
    }
    // git chooses the arguments of the commands that it runs, and help has no options.
    guard path.isEmpty || commands.isEmpty, command.configuration.shouldDisplay, rest.first != "help" else { return nil }
    let name = path.isEmpty ? "watch" : path
    let options = CommandOptions(of: command)
    let message =
      Scan(options, name: name, takesIDs: commandsWithIDs.contains(name)).mistake(in: rest)
      ?? (name == "watch" ? missingCommand(arguments[words.endIndex...], after: rest, options) : nil)
    return message.map { CommandLineMistake($0, in: command) }
  }

  /// A `--` with nothing after it. A `--` after an option that takes a value is that value.
  private static func missingCommand(_ end: ArraySlice<String>, after words: ArraySlice<String>, _ options: CommandOptions) -> String? {
    if end.count != 1 || words.last.flatMap({ options.number(of: $0) }).map({ options.all[$0].hasValue }) == true { return nil }
    return "There is no COMMAND after `--`. Write one, or leave `--` out."
  }

  private struct Scan {
    private let options: CommandOptions
    private let takesIDs: Bool
    private let name: String
    private var isWatch: Bool { name == "watch" }

    init(_ options: CommandOptions, name: String, takesIDs: Bool) {
      self.options = options
      self.name = name
      self.takesIDs = takesIDs
    }

    func mistake(in words: ArraySlice<String>) -> String? {
      var rest = words
      var given: Set<Int> = []
      var positionals: [String] = []
      var previous: String?
      while let word = rest.popFirst() {
        defer { previous = word }
        guard word.hasPrefix("-"), word != "-" else {
          positionals.append(word)
          if let option = previous.flatMap(BareOptions.name(in:)), positionals.count == 2 {
            return "Unexpected word `\(word)`. Write the value of \(option) after `=`: \(option)=\(ShellWord(word))"
          }
          if isWatch, positionals.count == 2 { return unexpected(word, in: positionals[0], rest) }
          if let max = options.maxWords, positionals.count > max { return unexpected(word, in: positionals[0]) }
          continue
        }
        let name = String(word.prefix { $0 != "=" })
        guard let number = options.number(of: name) else {
          if options.areFlags(word) { continue }
          return unknown(word, before: rest.first)
        }
        let option = options.all[number]
        guard option.hasValue else { continue }
        if !option.isRepeating, !given.insert(number).inserted { return "\(name) is given twice. Use it once." }
        if name == word { _ = rest.popFirst() }
      }
      return nil
    }

    /// Describes a second word after `notes-watch DIR`.
    private func unexpected(_ word: String, in folder: String, _ rest: ArraySlice<String>) -> String {
      if NotesWatch.configuration.subcommands.contains(where: { $0.configuration.commandName == word }) {
        return "Unexpected word `\(word)`. The command comes first: notes-watch \(word) \(ShellWord(folder))"
      }
      let command = ([word] + rest).map { ShellWord($0).description }.joined(separator: " ")
      return
        "Unexpected word `\(word)`. To run a command for each update, write `--` before it: notes-watch \(ShellWord(folder)) -- \(command)"
    }

    /// Describes a word after all words that the command takes.
    private func unexpected(_ word: String, in folder: String) -> String {
      let words = options.words.joined(separator: " ")
      let accepted = words.isEmpty ? "only options" : "\(words) and options"
      let path = "\(folder)/\(word)"
      var hint = ""
      if words == "DIR", access(path, F_OK) == 0 {
        hint = " Did you mean `notes-watch \(name) \(ShellWord(path))`?"
      } else if options.number(of: "--view") != nil {
        hint = " A view is an option: --view \(ShellWord(word))"
      }
      return "Unexpected word `\(word)`: notes-watch \(name) accepts \(accepted).\(hint)"
    }

    private func unknown(_ word: String, before next: String?) -> String {
      let name = String(word.prefix { $0 != "=" })
      if let text = replacement(of: name, in: word, before: next) { return "There is no option `\(name)`. \(text)" }
      let nearest = options.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
      let hint = takesIDs ? " If it is an id, write `--` before it: -- \(ShellWord(word))" : ""
      return "There is no option `\(name)`.\(nearest)\(hint)"
    }

    /// Returns the question for an option of other programs; nil for any other.
    private func replacement(of name: String, in word: String, before next: String?) -> String? {
      let formats = options.number(of: "-o").map { options.all[$0].values } ?? []
      guard let found = ForeignWords.replacement(of: name, formats: formats) else { return nil }
      let given = name != word ? String(word.dropFirst(name.count + 1)) : next.flatMap { $0.hasPrefix("-") ? nil : $0 }
      // `log` and `list` limit differently.
      let option = found.option == "--limit" && options.number(of: "--limit") == nil ? "-n" : found.option
      guard let number = options.number(of: option) else {
        guard option == "--listen" else { return nil }
        let port = given.flatMap { UInt16($0) }.map { "\($0)" } ?? "PORT"
        return "Did you mean `notes-watch serve DIR --listen \(found.value ?? port)`?"
      }
      // The next word may be meant as something else.
      let values = options.all[number].values
      let isValue = given.map { values.isEmpty || values.contains($0) } ?? false
      let value = found.value ?? (isValue ? given.map { ShellWord($0).description } : nil) ?? options.all[number].valueName
      return "Did you mean `\(option) \(value)`?"
    }
  }
}
