import ArgumentParser
import GitHistory
import PlainText

/// `git textconv`: the diff driver, which git runs.
struct GitTextconvCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "textconv", abstract: "Print an item a field a line, as git's diff driver.", shouldDisplay: false)

  @Argument var file: String

  func run() async throws {
    try await Failure.translating { try StandardOutput().write(FieldLines.lines(ofFile: file)) }
  }
}
