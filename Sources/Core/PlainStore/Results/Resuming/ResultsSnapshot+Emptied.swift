import DiffableSnapshot
import HashTreeCollections
import Query

extension ResultsSnapshot {
  /// The empty list of the same view. An update from it inserts everything.
  package var emptied: ResultsSnapshot {
    // A single section has no duplicates, so this does not fail.
    let list =
      request.section == nil ? try? Snapshot<SectionID, Item.ID>([(id: SectionID(""), items: [])]) : nil
    var snapshot = ResultsSnapshot(request: request, list: list ?? Snapshot(), items: [:], problems: [:])
    // An identity, so that an update from it is recognized.
    snapshot.kept = KeptRows(rows: [:], titles: nil)
    return snapshot
  }

  /// The list without problems, as it is read from a state: a consumer that resumes gets
  /// all of them.
  package var withoutProblems: ResultsSnapshot {
    var snapshot = self
    snapshot.problemsByPath = [:]
    return snapshot
  }
}
