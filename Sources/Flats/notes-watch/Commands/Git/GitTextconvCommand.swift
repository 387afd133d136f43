import ArgumentParser
import Git

struct GitTextconvCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "textconv", abstract: "Print an item with one field per line, as git's diff driver.",
    shouldDisplay: false)

  @Argument var file: String

  init() {}

  /// Recognizes the arguments that `DriverCommand` writes for git, and returns nil for all others.
  init?(_ arguments: [String]) {
    guard arguments.count == 5, arguments[1...3] == ["git", "textconv", "--"] else { return nil }
    file = arguments[4]
  }

  /// Runs the command without the argument parser, which takes as long as everything else.
  func runAndExit() {
    do {
      try StandardOutput().write(FieldLines.lines(ofFile: file))
    } catch {
      if let failure = Failure(error) { failure.end() }
      Self.exit(withError: error)
    }
  }

  func run() async throws {
    try StandardOutput().write(FieldLines.lines(ofFile: file))
  }
}
