import ArgumentParser
import Glibc
import PlainStore
import PlainText

/// Finds mistakes that the argument parser accepts or explains badly: an option given twice, an id with a leading dash, a command to run without `--`.
enum ArgumentCheck {
  /// The commands in whose words an id may stand.
  private static let commandsWithIDs: Set<String> = ["get", "add", "set", "unset", "rm", "edit", "log"]

  /// A sentence that says what is wrong and what to write; nil if nothing is.
  static func problem(with arguments: [String]) -> String? {
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
    // What git runs has words that git chose; and help has no options.
    guard path.isEmpty || commands.isEmpty, command.configuration.shouldDisplay, rest.first != "help" else { return nil }
    let name = path.isEmpty ? "watch" : path
    return Scan(CommandOptions(of: command), name: name, takesIDs: commandsWithIDs.contains(name)).problem(with: rest)
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

    func problem(with words: ArraySlice<String>) -> String? {
      var rest = words
      var given: Set<Int> = []
      var positionals: [String] = []
      while let word = rest.popFirst() {
        guard word.hasPrefix("-"), word != "-" else {
          positionals.append(word)
          if isWatch, positionals.count == 2 { return unexpected(word, in: positionals[0], rest) }
          if let most = options.mostWords, positionals.count > most { return unexpected(word, in: positionals[0]) }
          continue
        }
        let name = String(word.prefix { $0 != "=" })
        guard let number = options.number(of: name) else {
          if options.areFlags(word) { continue }
          return unknown(word)
        }
        let option = options.all[number]
        guard option.hasValue else { continue }
        if !option.isRepeating, !given.insert(number).inserted { return "\(name) is given twice. Give it once." }
        if name == word { _ = rest.popFirst() }
      }
      return nil
    }

    private func unexpected(_ word: String, in folder: String, _ rest: ArraySlice<String>) -> String {
      let command = ([word] + rest).map { ShellWord($0).description }.joined(separator: " ")
      return
        "Unexpected word `\(word)`. To run a command for each update, write `--` before it: notes-watch \(ShellWord(folder)) -- \(command)"
    }

    /// About a word behind all that the command takes.
    private func unexpected(_ word: String, in folder: String) -> String {
      let words = options.words.map { $0 == "dir" ? "DIR" : "<\($0)>" }.joined(separator: " ")
      let path = "\(folder)/\(word)"
      let hint = words == "DIR" && access(path, F_OK) == 0 ? " Did you mean `notes-watch \(name) \(ShellWord(path))`?" : ""
      return "Unexpected word `\(word)`: notes-watch \(name) takes \(words) and options, which `notes-watch \(name) --help` lists.\(hint)"
    }

    private func unknown(_ word: String) -> String {
      let name = String(word.prefix { $0 != "=" })
      let nearest = word.hasPrefix("--") ? options.names.nearest(to: name).map { " Did you mean `\($0)`?" } ?? "" : ""
      let hint = takesIDs ? " If it is an id, write `--` before it: -- \(ShellWord(word))" : ""
      return "There is no option `\(name)`.\(nearest)\(hint)"
    }
  }
}

/// The options of a command, as the argument parser knows them.
private struct CommandOptions {
  struct Option {
    var names: [String] = []
    var hasValue = false
    var isRepeating = false
  }

  private(set) var all: [Option] = [
    Option(names: ["-h", "--help", "-help", "--help-hidden", "--version", "--experimental-dump-help"]),
    Option(names: ["--generate-completion-script"], hasValue: true, isRepeating: true),
  ]
  /// The names of what is given without an option's name, in order.
  private(set) var words: [String] = []
  /// How many words the command takes; nil for any number.
  private(set) var mostWords: Int? = 0
  private var numbers: [String: Int] = [:]

  init(of command: any ParsableCommand.Type) {
    // The parser tells of its options by this text alone.
    if let help = try? PackedValue(reading: command._dumpHelp(), as: .json).value,
      case .list(let arguments)? = help["command"]?["arguments"]
    {
      for argument in arguments where argument["kind"]?.text == "positional" {
        words.append(argument["valueName"]?.text ?? "word")
        mostWords = argument["isRepeating"] == .bool(true) ? nil : mostWords.map { $0 + 1 }
      }
      for argument in arguments where argument["kind"]?.text != "positional" {
        guard case .list(let names)? = argument["names"] else { continue }
        all.append(
          Option(
            names: names.map { ($0["kind"]?.text == "long" ? "--" : "-") + ($0["name"]?.text ?? "") },
            hasValue: argument["kind"]?.text == "option", isRepeating: argument["isRepeating"] == .bool(true)))
      }
    }
    for (number, option) in all.enumerated() {
      for name in option.names where numbers[name] == nil { numbers[name] = number }
    }
  }

  var names: [String] { all.dropFirst(2).flatMap(\.names).filter { $0.hasPrefix("--") } + ["--help"] }

  func number(of name: String) -> Int? { numbers[name] }

  /// Returns true for several short flags in one word, such as `-nh`.
  func areFlags(_ word: String) -> Bool {
    !word.hasPrefix("--")
      && word.unicodeScalars.dropFirst().allSatisfy { letter in numbers["-\(letter)"].map { !all[$0].hasValue } ?? false }
  }
}
