import Synchronization

/// A filter for the acknowledgements of one process. It passes that of the outstanding line and the
/// first invalid one, so that a command that prints many numbers cannot fill the queue of events.
final class AcknowledgementGate: Sendable {
  private struct State {
    var expected: Int?
    var hasPassedInvalid = false
  }

  /// Lock: guards the acknowledgement that a persistent command may write now.
  private let state = Mutex(State())

  /// Sets the number of the line that is about to be written.
  func expect(_ seq: Int) { state.withLock { $0.expected = seq } }

  /// Returns true if the acknowledgement passes.
  func passes(_ acknowledgement: Acknowledgement) -> Bool {
    state.withLock { state in
      if let seq = acknowledgement.seq, seq == state.expected {
        state.expected = nil
        return true
      }
      defer { state.hasPassedInvalid = true }
      return !state.hasPassedInvalid
    }
  }
}
