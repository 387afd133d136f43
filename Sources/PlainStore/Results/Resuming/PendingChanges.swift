import DiffableSnapshot

/// The list that a consumer has acknowledged, and the changes since then.
package struct PendingChanges: Sendable {
  /// The list that the consumer has acknowledged.
  package private(set) var acknowledged: ResultsSnapshot
  private var newest: ResultsSnapshot
  private var origin: ResultsUpdate.Origin?
  private var cause: ResultsUpdate.Cause?
  private var since: SuspendingClock.Instant?

  /// Creates the position of a consumer that has a list, without changes.
  package init(after acknowledged: ResultsSnapshot) {
    self.acknowledged = acknowledged
    newest = acknowledged
  }

  /// Adds an update of the subscription. Its new list is the newest one.
  package mutating func add(_ update: ResultsUpdate) {
    newest = update.new
    origin = origin.map { $0.merged(with: update.origin) } ?? update.origin
    cause = cause.map { $0.merged(with: update.cause) } ?? update.cause
    if let other = update.since { since = since.map { min($0, other) } ?? other }
  }

  /// The update from the acknowledged list to the newest one; nil if they are equal.
  package var update: ResultsUpdate? {
    guard let origin else { return nil }
    let update = ResultsUpdate(from: acknowledged, to: newest, touched: nil, origin: origin, cause: cause, since: since)
    return update.diff.isEmpty ? nil : update
  }

  /// Returns an update that makes only the changes of some rows; nil if none of them is pending.
  package func part(_ ids: Set<Item.ID>) -> ResultsUpdate? {
    guard let update, update.diff.changes.contains(where: { ids.contains($0.item) }) else { return nil }
    return update
  }

  /// Records that the consumer has an update that `update` or `part` returned.
  package mutating func acknowledge(_ update: ResultsUpdate) {
    acknowledged = update.new
    if self.update == nil { (origin, cause, since) = (nil, nil, nil) }
  }
}
