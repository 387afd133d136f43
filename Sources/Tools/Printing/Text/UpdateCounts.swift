package import Store

package enum UpdateCounts {
  /// Returns the counts of an update and the size of the list: `1 inserted, 2 updated · 148 items`.
  package static func counts(of update: ListUpdate<Item>) -> String {
    let words = words(sections: update.diff.sections.count, update.diff.changes)
    return "\(words) · \(Wording.count(update.new.count, "item"))"
  }

  /// Returns the number of changes per kind: `5,000 inserted, 4,960 deleted, 1 section changed`.
  static func words(sections: Int, _ changes: some Sequence<SnapshotDiff<SectionID, Item.ID>.ItemChange>)
    -> String
  {
    var items: [ChangeRow.Kind: Int] = [:]
    for change in changes { items[ChangeRow.Kind(change), default: 0] += 1 }
    var parts = ChangeRow.Kind.allCases.compactMap { kind in
      items[kind].map { "\(Wording.grouped($0)) \(kind.word)" }
    }
    if sections > 0 { parts.append("\(Wording.count(sections, "section")) changed") }
    return parts.joined(separator: ", ")
  }

  /// Returns the counts of problems that came and went: `2 problems, 1 solved`.
  package static func words(for problems: [ProblemChange]) -> String {
    let raised = problems.count { if case .raised = $0 { true } else { false } }
    let solved = problems.count - raised
    if solved == 0 { return Wording.count(raised, "problem") }
    return raised == 0
      ? "\(Wording.count(solved, "problem")) solved"
      : "\(Wording.count(raised, "problem")), \(Wording.grouped(solved)) solved"
  }
}

extension ListUpdate<Item> {
  private static let maxSummaryIDs = 3

  /// One line about the update, for a log:
  /// `1 inserted (bob), 2 updated (ada, dan), origin git, 13 items`. O(k) for k changes.
  package var summary: String {
    var ids: [ChangeRow.Kind: [Item.ID]] = [:]
    for change in diff.changes { ids[ChangeRow.Kind(change), default: []].append(change.item) }
    var parts = ChangeRow.Kind.allCases.compactMap { kind in
      ids[kind].map { ids in
        let first = ids.prefix(ListUpdate<Item>.maxSummaryIDs).map(\.description).joined(separator: ", ")
        let rest = ids.count > ListUpdate<Item>.maxSummaryIDs ? ", …" : ""
        return "\(Wording.grouped(ids.count)) \(kind.word) (\(first)\(rest))"
      }
    }
    parts.append("origin \(origin)")
    parts.append(Wording.count(new.count, "item"))
    return parts.joined(separator: ", ")
  }
}
