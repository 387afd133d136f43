import Glibc
import LinuxFiles
import Subprocess
import SystemPackage

/// A command, and how it is run: its words, the destination of its output, and how much time it has
/// to end when it is stopped. No shell is involved.
package struct CommandLaunch: Sendable {
  /// The program and its arguments.
  package let words: [String]
  /// The stream that the command's standard output goes to. Its standard error goes to ours.
  package let output: ScriptSink.Stream
  /// The label of each line of the command's output. If nil, the command writes to our descriptors
  /// directly.
  package let label: String?
  /// The time between SIGTERM and SIGKILL.
  package let grace: Duration

  /// Describes how to run a command.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments. Not empty.
  ///   - output: The stream that the command's standard output goes to.
  ///   - label: The label of each line of output, without brackets. Nil for no labels.
  ///   - grace: The time between SIGTERM and SIGKILL when the command is stopped.
  package init(_ words: [String], output: ScriptSink.Stream, label: String? = nil, grace: Duration = .seconds(2)) {
    self.words = words
    self.output = output
    self.label = label
    self.grace = grace
  }

  /// The name of the program, as it was given.
  package var program: String { words.first ?? "" }

  /// Returns an error message if the program does not exist or is not executable, otherwise nil.
  package func missingProgram() async -> String? {
    if isPath { return missingPath() }
    do {
      _ = try await resolvedProgram()
      return nil
    } catch {
      return "The command `\(program)` is not on $PATH. Give its path, or install it."
    }
  }

  private func missingPath() -> String? {
    var status = stat()
    if stat(program, &status) != 0 { return "The command `\(program)` cannot be run: \(Errno.current.reason)." }
    if status.st_mode & S_IFMT != S_IFREG { return "The command `\(program)` cannot be run: it is not a regular file." }
    return access(program, X_OK) == 0
      ? nil : "The command `\(program)` cannot be run: it is not executable. Run `chmod +x` on it."
  }

  private var isPath: Bool { program.utf8.contains(UInt8(ascii: "/")) }

  /// Returns the path of the program. A name is looked up on `$PATH`.
  func resolvedProgram() async throws -> FilePath {
    isPath ? FilePath(program) : try await Executable.name(program).resolveExecutablePath(in: .inherit)
  }
}
