import Store
import Streams
import Synchronization

/// A delivery log in memory, for tests. It records the calls and checks their order.
final class MemoryLog: DeliveryLog {
  struct State {
    /// The calls, such as `begin 1`, `offer 2`, `ack 2`, `ack ?`, `require acks`.
    var calls: [String] = []
    /// The offered lists by their tokens, in order.
    var offered: [(position: StreamPosition, list: ListSnapshot<Item>)] = []
    var acknowledged: (position: StreamPosition, list: ListSnapshot<Item>)?
    /// Calls that break the rules of a log.
    var violations: [String] = []
  }

  private let state = Mutex(State())

  var calls: [String] { state.withLock(\.calls) }
  var violations: [String] { state.withLock(\.violations) }
  /// The acknowledged position and list.
  var acknowledged: (position: StreamPosition, list: ListSnapshot<Item>)? { state.withLock(\.acknowledged) }
  /// The tokens that a reader may have seen.
  var tokens: Set<String> { state.withLock { Set($0.offered.map(\.position.token)) } }

  func begin(_ list: ListSnapshot<Item>, at position: StreamPosition, isAcknowledged: Bool) {
    state.withLock { state in
      state.calls.append("begin \(position.seq)")
      state.offered = [(position, list)]
      state.acknowledged = nil
    }
    if isAcknowledged { _ = acknowledge(position.token) }
  }

  func offer(_ update: ListUpdate<Item>, at position: StreamPosition) {
    state.withLock { state in
      state.calls.append("offer \(position.seq)")
      let bases = [state.offered.last?.list, state.acknowledged?.list].compactMap { $0?.list }
      if !bases.contains(update.old.list) {
        state.violations.append("offer \(position.seq) begins elsewhere")
      }
      if state.offered.contains(where: { $0.position.token == position.token }) {
        state.violations.append("\(position) was offered twice")
      }
      state.offered.append((position, update.new))
    }
  }

  var isRecorded: Bool { true }

  func requireAcknowledgements() {
    state.withLock { $0.calls.append("require acks") }
  }

  func takeBack(to token: String, from start: String?) -> Bool { acknowledge(token) }

  func acknowledge(_ token: String) -> Bool {
    state.withLock { state in
      guard let step = state.offered.first(where: { $0.position.token == token }) else {
        state.calls.append("ack ?")
        return false
      }
      state.calls.append("ack \(step.position.seq)")
      state.acknowledged = step
      return true
    }
  }
}
