import Foundation
import Store
import TestSupport

@testable import Scripts
@testable import Streams

/// A log in memory that checks the order of what is recorded, with the help of the files `lines` and
/// `acks` that the command writes: each line that it received, and each number before it prints it.
final class DeliverySpy: DeliveryLog {
  struct State {
    var acknowledged: ListSnapshot<Item>?
    var seq = 0
    var offered: (update: ListUpdate<Item>, position: StreamPosition)?
    var begun: (list: ListSnapshot<Item>, position: StreamPosition)?
    var tokens: Set<String> = []
    var offers = 0
    var acknowledgements = 0
    var violations: [String] = []
  }

  private let state = Shared(State())
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  var now: State { state.withLock { $0 } }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
  }

  func begin(_ list: ListSnapshot<Item>, at position: StreamPosition, isAcknowledged: Bool) {
    state.withLock { state in
      if state.begun != nil { state.violations.append("a second beginning") }
      state.begun = (list, position)
    }
    if isAcknowledged { _ = acknowledge(position.token) }
  }

  func offer(_ update: ListUpdate<Item>, at position: StreamPosition) {
    let lines = text("lines")
    state.withLock { state in
      state.offers += 1
      if lines.contains("\"token\":\"\(position.token)\"") {
        state.violations.append("line \(position.seq) was written before the offer")
      }
      if !state.tokens.insert(position.token).inserted {
        state.violations.append("the token of \(position.seq) is not new")
      }
      if position.seq != state.seq + 1 {
        state.violations.append("step \(position.seq) was offered after \(state.seq)")
      }
      if let list = state.acknowledged, !list.hasSameRows(as: update.old) {
        state.violations.append("\(position.seq) begins elsewhere")
      }
      state.offered = (update, position)
    }
  }

  var isRecorded: Bool { true }

  func requireAcknowledgements() {
    state.withLock { $0.violations.append("a command has no reader that acknowledges") }
  }

  func takeBack(to token: String, from start: String?) -> Bool { acknowledge(token) }

  func acknowledge(_ token: String) -> Bool {
    let numbers = text("acks").split(separator: "\n").map(String.init)
    return state.withLock { state in
      if let begun = state.begun, state.acknowledged == nil {
        if begun.position.token != token { state.violations.append("the start was not acknowledged first") }
        (state.acknowledged, state.seq) = (begun.list, begun.position.seq)
        return true
      }
      state.acknowledgements += 1
      guard let (update, position) = state.offered, position.token == token else {
        state.violations.append("what was not offered was acknowledged")
        return false
      }
      if !numbers.contains("\(position.seq)") {
        state.violations.append("the command did not acknowledge \(position.seq)")
      }
      (state.acknowledged, state.seq, state.offered) = (update.new, position.seq, nil)
      return true
    }
  }
}

extension ListSnapshot<Item> {
  /// Returns true if both lists show the same.
  func hasSameRows(as other: ListSnapshot<Item>) -> Bool {
    ListUpdate<Item>(from: self, to: other, touched: nil, origin: .files).diff.isEmpty
  }
}
