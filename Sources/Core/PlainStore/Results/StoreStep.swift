package import Folder

/// One step of a store, as its lists get it: the new state, and what changed since the step before.
package struct StoreStep: Sendable {
  package let state: StoreState
  package let changes: StoreChanges
  package let origin: ResultsUpdate.Origin
  /// The reason for the update that this step causes; nil to derive it from the origin.
  package let cause: ResultsUpdate.Cause?
  /// The time at which the first of the changes was noticed; nil if no event reported them.
  package let since: SuspendingClock.Instant?
  /// The results that the lists compute once for all of them.
  let sharing: SharedStep

  init(
    state: StoreState, changes: StoreChanges, origin: ResultsUpdate.Origin, cause: ResultsUpdate.Cause? = nil,
    since: SuspendingClock.Instant? = nil
  ) {
    self.state = state
    self.changes = changes
    self.origin = origin
    self.cause = cause
    self.since = since
    sharing = SharedStep(changes.ids)
  }
}
