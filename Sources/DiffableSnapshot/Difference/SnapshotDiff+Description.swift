extension SnapshotDiff: CustomStringConvertible {
  /// The changes of the sections and then of the items, separated by commas.
  public var description: String {
    let changes = sections.map(\.description) + changes.map(\.description)
    return changes.isEmpty ? "no changes" : changes.joined(separator: ", ")
  }
}

extension SnapshotDiff.SectionChange: CustomStringConvertible {
  /// The change: `+ section a at 0`, `- section a from 0`, `> section a 0 → 1`, `~ section a at 0`.
  public var description: String {
    switch self {
    case .delete(let id, let from): "- section \(id) from \(from)"
    case .insert(let id, let to): "+ section \(id) at \(to)"
    case .move(let id, let from, let to): "> section \(id) \(from) → \(to)"
    case .update(let id, _, let to): "~ section \(id) at \(to)"
    }
  }
}

extension SnapshotDiff.ItemChange: CustomStringConvertible {
  /// The change: `+ ada at friends[0]`, `- ada from friends[0]`, `> ada friends[0] → others[1], changed`,
  /// `~ ada at friends[0]`.
  public var description: String {
    switch self {
    case .delete(let id, let from): "- \(id) from \(from)"
    case .insert(let id, let to): "+ \(id) at \(to)"
    case .move(let id, let from, let to, let isUpdated): "> \(id) \(from) → \(to)" + (isUpdated ? ", changed" : "")
    case .update(let id, _, let to): "~ \(id) at \(to)"
    }
  }
}
