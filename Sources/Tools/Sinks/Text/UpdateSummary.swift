import DiffableSnapshot
public import PlainStore

/// One line about an update, for a log: `1 inserted (bob), 2 updated (ada, dan), origin git, 13 items`.
public struct UpdateSummary: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of ids per kind of change.
  private static let maxIDs = 3

  /// The line.
  public let description: String

  /// Makes the line of an update. O(k) for k changes.
  public init(_ update: ResultsUpdate) {
    var ids: [ChangeRow.Kind: [Item.ID]] = [:]
    for change in update.diff.changes {
      switch change {
      case .delete(let id, _): ids[.delete, default: []].append(id)
      case .insert(let id, _): ids[.insert, default: []].append(id)
      case .move(let id, _, _, _): ids[.move, default: []].append(id)
      case .update(let id, _, _): ids[.update, default: []].append(id)
      }
    }
    var parts = ChangeRow.Kind.allCases.compactMap { kind in
      ids[kind].map { UpdateSummary.text(of: kind, $0) }
    }
    parts.append("origin \(update.origin)")
    parts.append(Wording.count(update.new.count, "item"))
    description = parts.joined(separator: ", ")
  }

  private static func text(of kind: ChangeRow.Kind, _ ids: [Item.ID]) -> String {
    let rest = ids.count > maxIDs ? ", …" : ""
    return
      "\(Wording.grouped(ids.count)) \(kind.word) "
      + "(\(ids.prefix(maxIDs).map(\.description).joined(separator: ", "))\(rest))"
  }
}
