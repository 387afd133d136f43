import Files
import Glibc
import Processes

/// Ends the wait of a terminal's loop from another thread.
package final class TerminalWakeup: Sendable {
  private let counter = EventCounter()

  package init() {}

  var descriptor: CInt { counter.raw }

  /// Makes `TerminalDevice.wait` return `.wakeup`. Any number of signals before that are one.
  package func signal() { counter.signal() }

  /// Waits for a signal, and forgets it: for what comes before there is a terminal. Returns false at
  /// the deadline; nil waits without end.
  package func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    while true {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = deadline.map { max(ContinuousClock.now.duration(to: $0), .zero) }
      if poll(&request, 1, left?.milliseconds ?? -1) > 0 {
        clear()
        return true
      }
      if let deadline, deadline <= .now { return false }
    }
  }

  func clear() { counter.clear() }
}
