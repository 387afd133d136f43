import ArgumentParser
import Scripts

/// The options of `watch` that need no value. A value can only follow `=`, because the next word may be the
/// folder. The argument parser has no such options, so a bare one gets its default before parsing.
enum BareOptions {
  private static let defaults = [
    "--prefix": CommandSettings.commandName, "--defer-git": CommandSettings.defaultDeferGit,
  ]

  /// The option that a word gives, with or without a value.
  static func name(in word: String) -> String? {
    let name = String(word.prefix { $0 != "=" })
    return defaults[name] == nil ? nil : name
  }

  /// Gives each bare option a value. Values of other options, and words after `--`, stay as they are.
  static func completed(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    guard arguments[..<end].contains(where: { defaults[$0] != nil }), isWatch(arguments) else {
      return arguments
    }
    let options = CommandOptions(of: WatchCommand.self)
    var completed = arguments
    var index = 0
    while index < end {
      let word = arguments[index]
      if defaults[word] != nil {
        completed[index] = self.completed(word: word)
      } else if let number = options.number(of: word), options.all[number].hasValue {
        // The next word is its value.
        index += 1
      }
      index += 1
    }
    return completed
  }

  static func completed(word: String) -> String { defaults[word].map { "\(word)=\($0)" } ?? word }

  private static func isWatch(_ arguments: [String]) -> Bool {
    guard let first = arguments.first, first != "watch" else { return true }
    return first != "help"
      && !NotesWatch.configuration.subcommands.contains { $0.configuration.commandName == first }
  }
}
