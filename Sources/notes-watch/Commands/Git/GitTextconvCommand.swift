import ArgumentParser
import GitHistory
import Glibc
import PlainText

/// `git textconv`: the diff driver, which git runs.
struct GitTextconvCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "textconv", abstract: "Print an item a field a line, as git's diff driver.", shouldDisplay: false)

  @Argument var file: String

  init() {}

  /// Nil unless the arguments are those that `DriverCommand` writes for git.
  init?(_ arguments: [String]) {
    guard arguments.count == 5, arguments[1...3] == ["git", "textconv", "--"] else { return nil }
    file = arguments[4]
  }

  /// Runs without the arguments' parser.
  func runAndExit() {
    do {
      try StandardOutput().write(FieldLines.lines(ofFile: file))
    } catch let error as GitError {
      Self.exit(withError: Failure.exit(error))
    } catch let error as OutputError {
      if error.isClosedPipe { Signals.end(by: SIGPIPE) }
      Self.exit(withError: Failure.exit(.cannotWrite, error.description))
    } catch {
      Self.exit(withError: error)
    }
  }

  func run() async throws {
    try await Failure.translating { try StandardOutput().write(FieldLines.lines(ofFile: file)) }
  }
}
