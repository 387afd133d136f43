import Values

/// A command of the program, as its argument parser describes it.
struct ProgramCommand {
  /// A word or an option that the command accepts.
  struct Argument {
    /// `-o`, `--output`; empty for a word that has no option name.
    let names: [String]
    /// The placeholder of the value; nil for a flag.
    let valueName: String?
    /// True if the value can be left out; it then follows `=`.
    let hasOptionalValue: Bool
    /// The title of its group in the help.
    let group: String?
    /// The description in the help.
    let abstract: String
    /// The values that it accepts; empty if there is no list of them.
    let values: [String]
    /// The default as the help shows it; nil for none.
    let defaultValue: String?
  }

  /// The words that call it: `["notes-watch", "git", "install"]`.
  let path: [String]
  /// The description in one line.
  let abstract: String
  /// The text below it in the help.
  let discussion: String
  /// The usage lines of its help.
  let usage: [String]
  let arguments: [Argument]
  /// The commands below it.
  let commands: [ProgramCommand]

  /// Reads the description of a command and of those below it that the help shows.
  ///
  /// - Parameters:
  ///   - description: What the argument parser dumps.
  ///   - help: Returns the text that `--help` prints for a command.
  init(_ description: Value, below parents: [String] = [], help: ([String]) throws -> String) rethrows {
    let path = parents + [description["commandName"]?.text ?? ""]
    let text = try help(path)
    self.path = path
    abstract = description["abstract"]?.text ?? ""
    discussion = description["discussion"]?.text ?? ""
    usage = ProgramCommand.usage(in: text)
    arguments = (description["arguments"]?.elements ?? []).filter(ProgramCommand.isShown).map { Argument($0, in: text) }
    commands = try (description["subcommands"]?.elements ?? []).filter { ProgramCommand.isShown($0) && $0["commandName"]?.text != "help" }
      .map { try ProgramCommand($0, below: path, help: help) }
  }

  private static func isShown(_ description: Value) -> Bool { description["shouldDisplay"] != .bool(false) }

  /// Returns the lines after `USAGE: `, up to a blank one.
  static func usage(in help: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return [] }
    return lines[start...].prefix { !$0.isEmpty }.map { String($0.dropFirst("USAGE: ".count)) }
  }
}

extension ProgramCommand.Argument {
  /// - Parameter help: The help of the command, which shows whether a value can be left out.
  fileprivate init(_ description: Value, in help: String) {
    let names = (description["names"]?.elements ?? []).map { name in
      (name["kind"]?.text == "long" ? "--" : "-") + (name["name"]?.text ?? "")
    }
    self.names = names
    valueName = description["kind"]?.text == "flag" ? nil : description["valueName"]?.text
    hasOptionalValue = names.contains { help.contains("  \($0)[=") }
    group = description["sectionTitle"]?.text
    abstract = description["abstract"]?.text ?? ""
    values = (description["allValues"]?.elements ?? []).map(\.text)
    defaultValue = description["defaultValue"]?.text
  }
}
