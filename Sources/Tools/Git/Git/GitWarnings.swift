import Files
import Glibc
import Synchronization

/// Reports the warnings of git.
package enum GitWarnings {
  /// Receives a warning of git, without `warning: `. It may contain anything.
  package typealias Report = @Sendable (String) -> Void

  /// The warnings that were reported. Each git command repeats those about the settings.
  /// Lock: guards which warnings of git were written to standard error.
  private static let reported = Mutex<Set<String>>([])
  /// A server runs for months, and a warning may contain names from a request.
  private static let maxReported = 1_000

  /// Writes a warning to standard error, made safe for a terminal; each one once.
  package static func writeOnce(_ warning: String) {
    let isNew = reported.withLock { reported in
      if reported.count >= maxReported { reported.removeAll() }
      return reported.insert(warning).inserted
    }
    guard isNew else { return }
    var line = "notes-watch: warning: git: \(DisplayText.safe(warning))\n"
    line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
