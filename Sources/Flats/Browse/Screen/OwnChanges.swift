import Store

/// Finds the updates that show what the person's own actions changed. The update and the outcome of
/// an action come in either order.
struct OwnChanges: Sendable {
  /// The maximum time between an outcome and an update that comes after it.
  private static let maxDelay = Duration.seconds(1)

  /// The items of the last update since an action began; nil if there was none.
  private var updated: Set<Item.ID>?
  /// The number of actions without an outcome.
  private var underWay = 0
  /// The items of an outcome whose update has not come yet.
  private var expected: (ids: Set<Item.ID>, end: ContinuousClock.Instant)?

  /// Records that an action begins.
  mutating func begin() {
    updated = nil
    underWay += 1
  }

  /// Returns true if an update shows only what the last action changed.
  mutating func observe(_ update: ResultsUpdate, at time: ContinuousClock.Instant) -> Bool {
    let wanted = exchange(&expected, with: nil)
    guard update.origin == .files, underWay > 0 || wanted != nil else { return false }
    let ids = Set(update.itemChanges.map(\.item.item))
    if underWay > 0 { updated = ids }
    guard let wanted, time <= wanted.end else { return false }
    return !ids.isEmpty && ids.isSubset(of: wanted.ids)
  }

  /// Returns true if the last update shows only what the action of this outcome changed.
  mutating func observe(_ outcome: ActionOutcome, at time: ContinuousClock.Instant) -> Bool {
    guard outcome.action != nil else { return false }
    underWay = max(underWay - 1, 0)
    let ids = Set(outcome.changed.map(\.item))
    guard let updated = exchange(&updated, with: nil) else {
      expected = ids.isEmpty ? nil : (ids, time + OwnChanges.maxDelay)
      return false
    }
    return !updated.isEmpty && updated.isSubset(of: ids)
  }
}
