package import Query
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

extension ItemStore {
  // Two stores that update one item all the time are a conflict for each other in every second try.
  // On a busy machine ten such tries in a row are nothing rare.
  private static let minTries = 100
  private static let tryingTime = Duration.seconds(5)

  /// Makes changes to the newest versions of items, and makes them again while other programs change
  /// the items at the same time.
  ///
  /// - Parameters:
  ///   - policy: The treatment of such changes in the last try.
  ///   - add: Adds the change of one item to a scope.
  package nonisolated(nonsending) func changeNewest(
    _ ids: [Item.ID], _ policy: MergePolicy?, _ add: (inout EditScope, Item.ID) throws -> Void
  ) async throws -> SaveReport {
    // Outcomes have the ids of items, even if a row of a list by elements was named.
    let ids = ids.map(\.item)
    var outcomes: [Item.ID: SaveOutcome] = [:]
    var rest = ids
    var turn = await updateTurns.begin(ids)
    var tries = 0
    let start = ContinuousClock.now
    defer { turn.end() }
    while !rest.isEmpty {
      if turn.isOver { turn = await updateTurns.begin(rest) }
      tries += 1
      let isLast = tries >= ItemStore.minTries && ContinuousClock.now - start > ItemStore.tryingTime
      var scope = makeEditScope()
      for id in rest { try add(&scope, id) }
      for outcome in try await saveEach(scope, isLast ? policy : .error, turn: turn).outcomes {
        outcomes[outcome.id] = outcome
      }
      // Nothing was written of these. After other conflicts our text may be in the file, and the
      // change would be made twice.
      rest = isLast ? [] : rest.filter { outcomes[$0]?.error?.dependsOnPolicy == true }
    }
    return SaveReport(outcomes: ids.compactMap { outcomes.removeValue(forKey: $0) })
  }
}
