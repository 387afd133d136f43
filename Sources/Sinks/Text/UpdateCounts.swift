import DiffableSnapshot
import PlainStore

/// The number of changes per kind in an update or the rest of one: `5,000 inserted, 4,960 deleted`.
struct UpdateCounts: Sendable, Hashable {
  private var items: [ChangeRow.Kind: Int] = [:]
  private var sections = 0

  var isEmpty: Bool { items.isEmpty && sections == 0 }

  var words: String {
    var parts = ChangeRow.Kind.allCases.compactMap { kind in items[kind].map { "\(Wording.grouped($0)) \(kind.word)" } }
    if sections > 0 { parts.append("\(Wording.count(sections, "section")) changed") }
    return parts.joined(separator: ", ")
  }

  init(sections: Int, changes: some Sequence<SnapshotDiff<SectionID, Item.ID>.ItemChange>) {
    self.sections = sections
    for change in changes { items[ChangeRow.Kind(change), default: 0] += 1 }
  }
}

extension ChangeRow.Kind {
  fileprivate init(_ change: SnapshotDiff<SectionID, Item.ID>.ItemChange) {
    switch change {
    case .delete: self = .delete
    case .insert: self = .insert
    case .move: self = .move
    case .update: self = .update
    }
  }
}
