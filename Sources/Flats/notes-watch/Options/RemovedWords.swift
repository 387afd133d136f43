import Scripts
import Terminal

/// Commands and options that earlier versions had, with what to use instead.
enum RemovedWords {
  /// The sentences by the name of a command.
  static let commands = [
    "service":
      "The installed units run the daemon: `systemctl --user enable --now notes-watch.socket notes-watch.service`."
  ]

  /// The sentences by the name of an option.
  static let options = CommandSettings.removed.reduce(into: ["--linear": TerminalFailure.withoutScreen]) {
    $0["--\($1.key)"] = $1.value
  }

  /// Describes the first removed option in a command line that the parser refused; nil if there is
  /// none.
  static func mistake(in arguments: [String]) -> String? {
    for word in arguments.prefix(while: { $0 != "--" }) {
      let name = String(word.prefix { $0 != "=" })
      if let sentence = options[name] { return "There is no option `\(name)`. \(sentence)" }
    }
    return nil
  }
}
