import Store
import Streams

/// The deliveries of the changes that are pending at one moment, one after the other.
struct ScriptRound {
  /// The rows of each delivery that has not run yet, nil for everything; the last one is next.
  var parts: [[Item.ID]?]
  let change: Int
  /// The update of the next part, once it was computed.
  var next: ListUpdate<Item>?
  var hasBegun = false
  var successes = 0
  /// The rows that failed alone for the first time.
  var failedAlone: [Item.ID] = []
  var isSplit = false

  /// The number of changes that fail alone, before any run succeeds, after which the command itself
  /// counts as broken.
  static let maxFailedAlone = 5

  init(_ parts: [[Item.ID]?], change: Int) {
    self.parts = parts.reversed()
    self.change = change
  }

  /// Adds the halves of a failed part, which was removed, as the next parts.
  mutating func split(_ rows: [Item.ID]) {
    isSplit = true
    let middle = (rows.count + 1) / 2
    parts += [Array(rows[middle...]), Array(rows[..<middle])]
  }
}

extension CommandSchedule {
  /// Returns the update of the next delivery; nil if there is none before another change or time.
  mutating func nextUpdate(at now: SuspendingClock.Instant) -> ListUpdate<Item>? {
    while true {
      if round == nil { round = makeRound(at: now) }
      guard let current = round else { return nil }
      if let next = current.next { return next }
      guard let part = current.parts.last else {
        round = nil
        if current.hasBegun, !mustStop { continue }
        return nil
      }
      let next = update(of: part)
      round?.next = next
      // Without an update, the changes of the part were reverted.
      if next == nil { _ = round?.parts.popLast() }
    }
  }

  var mustStop: Bool { options.onError == .stop && (hold != nil || !holds.isEmpty) }

  private func update(of part: [Item.ID]?) -> ListUpdate<Item>? {
    guard let part else { return pending.update }
    return options.isEach ? part.first.flatMap { pending.single($0) } : pending.part(Set(part))
  }

  /// Returns the deliveries of the pending changes that need not wait; nil if there are none.
  private mutating func makeRound(at now: SuspendingClock.Instant) -> ScriptRound? {
    guard hold?.isReleased(by: changes, at: now) ?? true, let update = pending.update else { return nil }
    let rows = update.rows
    if !holds.isEmpty {
      let pendingRows = Set(rows)
      holds = holds.filter { pendingRows.contains($0.key) }
    }
    let due = rows.filter { holds[$0]?.isReleased(by: changes, at: now) ?? true }
    let parts: [[Item.ID]?]
    if options.isEach {
      parts = rows.isEmpty ? [nil] : due.map { [$0] }
    } else if holds.isEmpty {
      parts = [nil]
    } else {
      // Changes that failed alone must not make the others fail.
      let others = due.filter { holds[$0] == nil }
      parts = (others.isEmpty ? [] : [others]) + due.filter { holds[$0] != nil }.map { [$0] }
    }
    return parts.isEmpty ? nil : ScriptRound(parts, change: changes)
  }

  mutating func mayDeliver(
    _ update: ListUpdate<Item>, at now: SuspendingClock.Instant, _ actions: inout [Action]
  ) -> Bool {
    if round?.hasBegun == false, let start = loopGuard.earliestStart(at: now), now < start {
      if loopGuard.shouldReport() {
        let paths = update.rows.prefix(3).compactMap { update.path(of: $0) }
        actions.append(.report(.looping(runs: LoopGuard.maxRuns, paths)))
      }
      return false
    }
    return git?.mayBegin(at: now) { actions.append(.checkGit) } ?? true
  }

  mutating func gitChecked(_ operation: GitOperation?, at now: SuspendingClock.Instant) -> [Action] {
    guard let (operation, limit) = git?.record(operation, at: now) else { return [] }
    return [.report(.gitTooLong(operation, limit))]
  }
}
