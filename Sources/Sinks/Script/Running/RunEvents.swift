import CLinux
import Dispatch
import Glibc
import Subprocess

/// What happens to one run: its process ends, or it is to be stopped.
final class RunEvents: Sendable {
  private enum Event {
    case ended
    case stop(RunEnd)
    case graceIsOver
  }

  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  /// Observes the end of a process. The process is not reaped.
  func watch(_ process: pid_t) {
    DispatchQueue(label: "end of a run").async { [continuation] in
      _ = clinux_await_end(process)
      continuation.yield(.ended)
    }
  }

  /// Asks for the run to be stopped. Only the first call counts.
  func stop(as end: RunEnd) { continuation.yield(.stop(end)) }

  /// Waits for the end of the process, and stops it if asked to: SIGTERM, the grace period, SIGKILL.
  ///
  /// - Returns: Why it was stopped; nil if it ended by itself.
  func end(grace: Duration, signal: (Signal) -> Void) async -> RunEnd? {
    var verdict: RunEnd?
    var alarm: Alarm?
    for await event in events {
      switch event {
      case .ended:
        alarm?.cancel()
        return verdict
      case .stop(let end) where verdict == nil:
        verdict = end
        signal(.terminate)
        alarm = Alarm(after: grace) { [continuation] in continuation.yield(.graceIsOver) }
      case .stop: break
      case .graceIsOver: signal(.kill)
      }
    }
    return verdict
  }
}
