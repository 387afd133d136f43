import DiffableSnapshot
public import Query

/// The change that an update made to one section of a list.
public struct ResultsSectionChange: Sendable, Hashable {
  /// The kind of the change. A section is updated if its title changed.
  public let kind: ResultsChangeKind
  /// The id of the section.
  public let id: SectionID
  /// The title of the section as it is now, for a delete as it was; nil if it has none.
  public let title: String?
  /// The number of the section before the update, from 0; nil for an insert.
  public let from: Int?
  /// The number of the section after the update, from 0; nil for a delete.
  public let to: Int?

  init(_ change: SnapshotDiff<SectionID, Item.ID>.SectionChange, in update: ResultsUpdate) {
    kind =
      switch change {
      case .insert: .insert
      case .delete: .delete
      case .move: .move
      case .update: .update
      }
    id = change.section
    from = change.from
    to = change.to
    title = (to == nil ? update.old : update.new).title(of: id)
  }
}

extension ResultsSectionChange: CustomStringConvertible {
  /// The change in one line: `+ section work at 1`, `- section work from 1`, `> section work 1 → 0`
  /// or `~ section work at 1`.
  public var description: String {
    let (old, new) = (from.map(String.init) ?? "", to.map(String.init) ?? "")
    let places =
      switch kind {
      case .insert, .update: "at \(new)"
      case .delete: "from \(old)"
      case .move: "\(old) → \(new)"
      }
    return "\(kind.sign) section \(Printing.name(of: id)) \(places)"
  }
}
