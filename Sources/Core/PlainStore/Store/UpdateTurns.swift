import Query
import Synchronization

/// The queues of the updates that read an item, change it, and write it: one for each item of a
/// store.
///
/// Each update begins when the lists have what the ones before it wrote. So updates of one store
/// never conflict with each other, no matter how many there are at once.
final class UpdateTurns: Sendable {
  /// The updates that wait for each item that has an update now, the next one first. Guards only
  /// this; nothing else runs while it is held.
  /// Lock: guards which items are being updated with `update(_:as:)`, and which tasks wait for
  /// their turn.
  private let waiting = Mutex<[Item.ID: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits until no other update of these items is in progress.
  nonisolated(nonsending) func begin(_ ids: [Item.ID]) async -> UpdateTurn {
    // All take the items in the same order, so that no two wait for each other.
    let ids = Set(ids.map(\.item)).sorted { $0.stored.utf8.lexicographicallyPrecedes($1.stored.utf8) }
    for id in ids {
      await withCheckedContinuation { continuation in
        let isFree = waiting.withLock { waiting in
          let isFree = waiting[id] == nil
          if isFree { waiting[id] = [] } else { waiting[id]?.append(continuation) }
          return isFree
        }
        if isFree { continuation.resume() }
      }
    }
    return UpdateTurn(of: ids, in: self)
  }

  fileprivate func end(_ ids: [Item.ID]) {
    for id in ids {
      let next = waiting.withLock { waiting in
        guard let queue = waiting[id], !queue.isEmpty else {
          waiting[id] = nil
          return nil as CheckedContinuation<Void, Never>?
        }
        return waiting[id]?.removeFirst()
      }
      next?.resume()
    }
  }
}

/// The time in which no other update of the same items begins.
final class UpdateTurn: Sendable {
  private let ids: [Item.ID]
  private let turns: UpdateTurns
  private let isEnded = Atomic(false)

  fileprivate init(of ids: [Item.ID], in turns: UpdateTurns) {
    (self.ids, self.turns) = (ids, turns)
  }

  deinit { end() }

  /// True if others may have begun.
  var isOver: Bool { isEnded.load(ordering: .acquiring) }

  /// Lets the next update begin. Later calls do nothing.
  func end() {
    if !isEnded.exchange(true, ordering: .acquiringAndReleasing) { turns.end(ids) }
  }
}
