import ArgumentParser
import Files
import PlainStore
import Values

/// The options of a command, as the argument parser knows them.
struct CommandOptions {
  struct Option {
    var names: [String] = []
    var hasValue = false
    var isRepeating = false
    /// True if the help shows it.
    var isShown = false
    /// The placeholder of its value.
    var valueName = ""
    /// The values that it accepts; empty if there is no list of them.
    var values: [String] = []
    /// Its description in the help.
    var about = ""
  }

  private(set) var all: [Option] = [
    Option(names: ["-h", "--help", "-help", "--help-hidden", "--version", "--experimental-dump-help"]),
    Option(names: ["--generate-completion-script"], hasValue: true, isRepeating: true),
  ]
  /// The names of the arguments that have no option name, in order.
  private(set) var words: [String] = []
  /// The number of such arguments that the command takes; nil for any number.
  private(set) var maxWords: Int? = 0
  private var numbers: [String: Int] = [:]

  init(of command: any ParsableCommand.Type) {
    // The parser has no other interface that lists the options.
    if let help = try? PackedValue(reading: command._dumpHelp(), as: .json).value,
      case .list(let arguments)? = help["command"]?["arguments"]
    {
      for argument in arguments where argument["kind"]?.text == "positional" {
        words.append(argument["valueName"]?.text ?? "WORD")
        maxWords = argument["isRepeating"] == .bool(true) ? nil : maxWords.map { $0 + 1 }
      }
      for argument in arguments where argument["kind"]?.text != "positional" {
        guard case .list(let names)? = argument["names"] else { continue }
        all.append(
          Option(
            names: names.map { ($0["kind"]?.text == "long" ? "--" : "-") + ($0["name"]?.text ?? "") },
            hasValue: argument["kind"]?.text == "option", isRepeating: argument["isRepeating"] == .bool(true),
            isShown: argument["shouldDisplay"] != .bool(false), valueName: argument["valueName"]?.text ?? "",
            values: (argument["allValues"]?.elements ?? []).map(\.text), about: argument["abstract"]?.text ?? ""))
      }
    }
    for (number, option) in all.enumerated() {
      for name in option.names where numbers[name] == nil { numbers[name] = number }
    }
  }

  func number(of name: String) -> Int? { numbers[name] }

  /// Returns the option that a mistyped name probably means.
  func nearest(to name: String) -> String? {
    let names = all.dropFirst(2).flatMap(\.names).filter { $0.hasPrefix("--") } + ["--help", "--version"]
    if name.hasPrefix("--") { return names.nearest(to: name) }
    guard name.count == 2 else { return names.nearest(to: "-\(name)") }
    if name.lowercased() == "-v" { return "--version" }
    return [name.lowercased(), name.uppercased()].first { numbers[$0] != nil }
  }

  /// Returns true for several short flags in one word, such as `-nh`.
  func areFlags(_ word: String) -> Bool {
    !word.hasPrefix("--")
      && word.unicodeScalars.dropFirst().allSatisfy { letter in numbers["-\(letter)"].map { !all[$0].hasValue } ?? false }
  }
}
