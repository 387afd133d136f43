import Glibc
import Synchronization
import TerminalText

/// What git wrote to standard error.
struct GitMessages {
  private let lines: [String]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first line that is neither a warning nor advice, without `fatal: ` or `error: `: the reason
  /// why a command failed. The first line if there is no such line, or an empty string.
  var reason: String {
    let notes = [GitMessages.warning, "hint: "]
    let line = lines.first { line in !notes.contains { line.hasPrefix($0) } } ?? lines.first ?? ""
    for word in ["fatal: ", "error: "] where line.hasPrefix(word) { return String(line.dropFirst(word.count)) }
    return line
  }

  /// The warnings, without `warning: `.
  var warnings: [String] {
    lines.filter { $0.hasPrefix(GitMessages.warning) }.map { String($0.dropFirst(GitMessages.warning.count)) }
  }

  private static let warning = "warning: "
}

/// Reports the warnings of git.
package enum GitWarnings {
  /// Receives a warning of git, without `warning: `. It may contain anything.
  package typealias Report = @Sendable (String) -> Void

  /// The warnings that were reported. Each git command repeats those about the settings.
  private static let reported = Mutex<Set<String>>([])
  /// A server runs for months, and a warning may contain names from a request.
  private static let maxReported = 1_000

  /// Writes a warning to standard error, made safe for a terminal; each one once.
  package static func writeOnce(_ warning: String) {
    let isNew = reported.withLock { $0.count < maxReported && $0.insert(warning).inserted }
    guard isNew else { return }
    var line = "notes-watch: warning: git: \(DisplayText.safe(warning))\n"
    line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
