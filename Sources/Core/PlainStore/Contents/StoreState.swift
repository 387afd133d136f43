package import Files
package import HashTreeCollections
package import Query
package import Values

/// The state of a store at one moment, as lists see it. It shares its structure with the states
/// before and after it.
package struct StoreState: Sendable {
  package var items: ItemTable
  package var problems: TreeDictionary<RelativePath, Problem>
  package let settings: Settings
  /// The version of the state, which increases with each step.
  package let version: Int
  /// The models of the items, for a list of a user's own type; otherwise nil.
  package var models: TreeDictionary<Item.ID, Model>?
  /// The results of the request's functions, by item; nil if the request has no functions.
  package var derived: TreeDictionary<Item.ID, DerivedValues>?
  /// The values of fields that an item does not have, in a list of models; otherwise empty.
  var defaults: Fields = [:]

  /// Returns the problem of a path; nil if it has none.
  package func problem(at path: RelativePath) -> Problem? { problems[path] }

  /// The problem of the folder itself; nil unless it is missing or cannot be read. The items are
  /// then those that it had last.
  package var folderProblem: Problem? { problems[.root] }
}

extension StoreState {
  /// Makes the state of files that were read from elsewhere than a folder.
  ///
  /// - Parameter idFields: The fields that make an item's id; nil for those that the settings name.
  package init(
    _ findings: [(path: RelativePath, finding: FileFinding)], settings: Settings, idFields: [FieldPath]?
  ) {
    var model = StoreModel(idFields: idFields ?? settings.idFields)
    model.load(findings)
    model.finishLoading()
    self.init(items: model.items, problems: model.problems, settings: settings, version: 0)
  }
}

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
