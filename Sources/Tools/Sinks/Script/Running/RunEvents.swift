import CLinux
import Dispatch
import Glibc

/// Waits for the end of one run, and stops it if asked to.
final class RunEvents: Sendable {
  private enum Event {
    case ended
    case drained
    case stop(RunEnd)
    case graceIsOver
  }

  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  /// Observes the end of a process. The process is not reaped.
  func watch(_ process: pid_t) {
    // Queue: waits for a command's end. Blocks in `waitid`.
    DispatchQueue(label: "end of a run").async { [continuation] in
      _ = clinux_await_end(process)
      continuation.yield(.ended)
    }
  }

  /// Asks for the run to be stopped. Only the first call counts.
  func stop(as end: RunEnd) { continuation.yield(.stop(end)) }

  /// Waits for the end of the process and of its output, and stops it if asked to: SIGTERM, the
  /// grace period, SIGKILL.
  ///
  /// Passing on the output may block, if our reader does not read. A run that is to be stopped
  /// waits for its output no longer than the grace period.
  ///
  /// - Parameters:
  ///   - grace: The time between the signals.
  ///   - signal: Sends a signal to the group of the process. Not called after the process has
  ///     ended.
  ///   - drain: Passes on what the process has written, and then calls its argument.
  /// - Returns: Why the process was stopped; nil if it ended by itself.
  func end(grace: Duration, signal: (CInt) -> Void, drain: (@escaping @Sendable () -> Void) -> Void) async
    -> RunEnd?
  {
    var reasonToStop: RunEnd?
    var hasEnded = false
    var alarm: Alarm?
    defer { alarm?.cancel() }
    for await event in events {
      switch event {
      case .ended:
        hasEnded = true
        drain { [continuation] in continuation.yield(.drained) }
      case .drained: return reasonToStop
      case .stop where hasEnded: return reasonToStop
      case .stop(let end) where reasonToStop == nil:
        reasonToStop = end
        signal(SIGTERM)
        alarm = Alarm(after: grace) { [continuation] in continuation.yield(.graceIsOver) }
      case .stop: break
      case .graceIsOver:
        if hasEnded { return reasonToStop }
        signal(SIGKILL)
      }
    }
    return reasonToStop
  }
}
