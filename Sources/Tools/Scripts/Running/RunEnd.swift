import Glibc
import Files
import Processes

package enum RunEnd: Equatable {
  case exited(CInt)
  case signaled(CInt)
  case timedOut
  /// The run was stopped because its task was cancelled.
  case stopped
  /// The command could not be started, with a sentence that says why.
  case notStarted(String)

  init(_ end: Child.End) {
    switch end {
    case .exited(let code): self = .exited(code)
    case .signaled(let signal): self = .signaled(signal)
    }
  }

  package var isSuccess: Bool { self == .exited(0) }

  /// The exit status that this program reports for the run, as a shell and `timeout(1)` do.
  var exitStatus: CInt {
    switch self {
    case .exited(let code): code
    case .signaled(let signal): 128 + signal
    case .timedOut: 124
    case .stopped: 128 + SIGTERM
    case .notStarted: 126
    }
  }

  package func sentence(about command: String) -> String {
    switch self {
    case .exited(0): "`\(command)` ended with exit code 0."
    case .exited(let code): "`\(command)` failed with exit code \(code)."
    case .signaled(let signal): "`\(command)` was ended by signal \(signal)."
    case .timedOut: "`\(command)` did not end in time and was stopped."
    case .stopped: "`\(command)` was stopped."
    case .notStarted(let sentence): sentence
    }
  }
}
