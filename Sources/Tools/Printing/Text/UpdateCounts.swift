import DiffableSnapshot
public import Store

/// The number of changes per kind in an update or the rest of one: `5,000 inserted, 4,960 deleted`.
public struct UpdateCounts: Sendable, Hashable {
  private var items: [ChangeRow.Kind: Int] = [:]
  private var sections = 0

  /// True if nothing changed.
  public var isEmpty: Bool { items.isEmpty && sections == 0 }

  /// The counts, with the words for the kinds of changes.
  public var words: String {
    var parts = ChangeRow.Kind.allCases.compactMap { kind in
      items[kind].map { "\(Wording.grouped($0)) \(kind.word)" }
    }
    if sections > 0 { parts.append("\(Wording.count(sections, "section")) changed") }
    return parts.joined(separator: ", ")
  }

  /// Counts the changes of an update.
  public init(_ update: ResultsUpdate) {
    self.init(sections: update.diff.sections.count, changes: update.diff.changes)
  }

  /// Returns the counts of an update and the size of the list: `1 inserted, 2 updated · 148 items`.
  public static func counts(of update: ResultsUpdate) -> String {
    "\(UpdateCounts(update).words) · \(Wording.count(update.new.count, "item"))"
  }

  /// Returns the counts of problems that came and went: `2 problems, 1 solved`.
  public static func words(for problems: [ProblemChange]) -> String {
    let raised = problems.count { if case .raised = $0 { true } else { false } }
    let solved = problems.count - raised
    if solved == 0 { return Wording.count(raised, "problem") }
    return raised == 0
      ? "\(Wording.count(solved, "problem")) solved"
      : "\(Wording.count(raised, "problem")), \(Wording.grouped(solved)) solved"
  }

  init(sections: Int, changes: some Sequence<SnapshotDiff<SectionID, Item.ID>.ItemChange>) {
    self.sections = sections
    for change in changes { items[ChangeRow.Kind(change), default: 0] += 1 }
  }
}

extension ResultsUpdate {
  private static let maxSummaryIDs = 3

  /// One line about the update, for a log:
  /// `1 inserted (bob), 2 updated (ada, dan), origin git, 13 items`. O(k) for k changes.
  package var summary: String {
    var ids: [ChangeRow.Kind: [Item.ID]] = [:]
    for change in diff.changes { ids[ChangeRow.Kind(change), default: []].append(change.item) }
    var parts = ChangeRow.Kind.allCases.compactMap { kind in
      ids[kind].map { ids in
        let first = ids.prefix(ResultsUpdate.maxSummaryIDs).map(\.description).joined(separator: ", ")
        let rest = ids.count > ResultsUpdate.maxSummaryIDs ? ", …" : ""
        return "\(Wording.grouped(ids.count)) \(kind.word) (\(first)\(rest))"
      }
    }
    parts.append("origin \(origin)")
    parts.append(Wording.count(new.count, "item"))
    return parts.joined(separator: ", ")
  }
}
