import Glibc
package import PlainStore
package import StateStore
import Synchronization

/// The state of a consumer, closed just before the process ends, or when its sink has ended.
///
/// After `close()` nothing may be delivered, because it would not be recorded. So each later call
/// waits for the end of the process. A sink that has ended makes none.
package final class ClosableLog: DeliveryLog {
  private let state: ConsumerState
  /// True after `close()`. The lock is held during each call, so that the state cannot be closed
  /// before the call returns.
  private let isClosed = Mutex(false)

  /// Makes the log of an open state.
  package init(_ state: ConsumerState) {
    self.state = state
  }

  package var isRecorded: Bool { state.isRecorded }

  package func begin(_ list: ResultsSnapshot, at position: StreamPosition, isAcknowledged: Bool) {
    whileOpen { state.begin(list, at: position, isAcknowledged: isAcknowledged) }
  }

  package func offer(_ update: ResultsUpdate, at position: StreamPosition) {
    whileOpen { state.offer(update, at: position) }
  }

  package func acknowledge(_ token: String) -> Bool {
    whileOpen { state.acknowledge(token) }
  }

  package func requireAcknowledgements() {
    whileOpen { state.requireAcknowledgements() }
  }

  package func takeBack(to token: String, from start: String?) -> Bool {
    whileOpen { state.takeBack(to: token, from: start) }
  }

  /// Closes the state. The caller then ends the process.
  package func close() {
    isClosed.withLock { isClosed in
      if !isClosed { state.close() }
      isClosed = true
    }
  }

  private func whileOpen<Result: Sendable>(_ body: () -> Result) -> Result {
    let result = isClosed.withLock { $0 ? nil : body() }
    guard let result else { while true { pause() } }
    return result
  }
}
