import Synchronization

/// Lets the acknowledgements of one process pass that matter: the one of the outstanding line, and
/// the first invalid one. A command that floods its output with numbers then fills no queue.
final class AcknowledgementGate: Sendable {
  private struct State {
    var expected: Int?
    var hasPassedInvalid = false
  }

  private let state = Mutex(State())

  /// Expects the acknowledgement of a line that is about to be written.
  func expect(_ seq: Int) { state.withLock { $0.expected = seq } }

  /// Returns true if the acknowledgement matters.
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
