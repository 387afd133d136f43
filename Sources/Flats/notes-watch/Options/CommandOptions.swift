import ArgumentParser
import Values

struct CommandOptions {
  struct Option {
    var names: [String] = []
    var hasValue = false
    var isRepeating = false
    var isShown = false
    var valueName = ""
    var values: [String] = []
    var about = ""
  }

  private(set) var all: [Option] = [
    Option(names: ["-h", "--help", "-help", "--help-hidden", "--version", "--experimental-dump-help"]),
    Option(names: ["--generate-completion-script"], hasValue: true, isRepeating: true),
  ]
  private(set) var words: [String] = []
  private var numbers: [String: Int] = [:]

  init(of command: any ParsableCommand.Type) {
    // The parser has no other interface that lists the options.
    if let help = try? PackedValue(reading: command._dumpHelp(), as: .json).value,
      case .list(let arguments)? = help["command"]?["arguments"]
    {
      words = arguments.filter { $0["kind"]?.text == "positional" }.map { $0["valueName"]?.text ?? "WORD" }
      for argument in arguments where argument["kind"]?.text != "positional" {
        guard case .list(let names)? = argument["names"] else { continue }
        all.append(
          Option(
            names: names.map { ($0["kind"]?.text == "long" ? "--" : "-") + ($0["name"]?.text ?? "") },
            hasValue: argument["kind"]?.text == "option", isRepeating: argument["isRepeating"] == .bool(true),
            isShown: argument["shouldDisplay"] != .bool(false), valueName: argument["valueName"]?.text ?? "",
            values: (argument["allValues"]?.elements ?? []).map(\.text),
            about: argument["abstract"]?.text ?? ""))
      }
    }
    for (number, option) in all.enumerated() {
      for name in option.names where numbers[name] == nil { numbers[name] = number }
    }
  }

  func number(of name: String) -> Int? { numbers[name] }
}
