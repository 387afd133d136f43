import Files
import Glibc
import SystemPackage

/// A command with the settings of its runs. No shell is involved.
package struct CommandLaunch {
  /// What a command that may not fail has stopped, and how to continue one that failed too often, as
  /// sentences.
  package typealias Advice = (stop: String, parked: String)

  /// The advice of a program that does nothing else.
  static let programAdvice: Advice = (
    "The program ends.", "Send SIGHUP to continue, or start the program again."
  )

  package enum Stream {
    case standardOutput
    case standardError
  }

  package let words: [String]
  /// The stream that the command's standard output goes to. Its standard error goes to ours.
  package let output: Stream
  /// The label of each line of the command's output; nil to let it write to our descriptors directly.
  package let label: String?
  /// The working directory of the command; nil for that of this program.
  package let directory: String?
  package let grace: Duration
  package let advice: Advice
  /// Receives one or more complete lines of the command's output or standard error, instead of our
  /// streams. Nil to write to these.
  package let capture: (@Sendable ([UInt8]) -> Void)?

  package init(
    _ words: [String], output: Stream, label: String? = nil, directory: String? = nil,
    grace: Duration = .seconds(2),
    advice: Advice = CommandLaunch.programAdvice, capture: (@Sendable ([UInt8]) -> Void)? = nil
  ) {
    self.advice = advice
    self.capture = capture
    self.words = words
    self.output = output
    self.label = label
    self.directory = directory
    self.grace = grace
  }

  package var program: String { words.first ?? "" }

  package func missingProgram() -> String? { findProgram().problem }

  /// Returns the path of the program, and an error message if it cannot be run. A name without a
  /// slash is looked up on `$PATH`, as `execvp(3)` does: in the order of the folders, and an empty
  /// folder is the working directory.
  func findProgram() -> (path: String, problem: String?) {
    if program.isEmpty {
      return (program, "The command is an empty string. Write the name of a program after `--`.")
    }
    if let directory, access(directory, X_OK) != 0 {
      let reason = Errno.current.reason
      return (program, "The command `\(program)` cannot be run in \(directory): \(reason).")
    }
    if program.utf8.contains(UInt8(ascii: "/")) {
      let problem = problem(with: program).map { "The command `\(program)` cannot be run: \($0)." }
      return (program, problem)
    }
    let folders = getenv("PATH").map { String(cString: $0) } ?? CommandLaunch.defaultPath
    for folder in folders.split(separator: ":", omittingEmptySubsequences: false) {
      let path = "\(folder.isEmpty ? "." : folder)/\(program)"
      if problem(with: path) == nil { return (path, nil) }
    }
    return (program, "The command `\(program)` is not on $PATH. \(adviceForMissing)")
  }

  private var adviceForMissing: String {
    if program.utf8.contains(UInt8(ascii: " ")) {
      return "Give its arguments as separate words, or run a shell: sh -c 'COMMAND'."
    }
    if problem(with: program) == nil {
      return "To run the file in the working directory, write `./\(program)`."
    }
    return "Give its path, or install it."
  }

  /// The folders that the C library searches without `$PATH`.
  private static let defaultPath = "/bin:/usr/bin"

  private func problem(with path: String) -> String? {
    let place = path.hasPrefix("/") ? path : directory.map { "\($0)/\(path)" } ?? path
    var status = stat()
    if stat(place, &status) != 0 { return Errno.current.reason }
    if status.st_mode & S_IFMT != S_IFREG { return "it is not a regular file" }
    if access(place, X_OK) != 0 { return "it is not executable. Run `chmod +x` on it" }
    return nil
  }
}
