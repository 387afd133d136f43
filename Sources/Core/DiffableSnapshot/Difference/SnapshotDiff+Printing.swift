extension SnapshotDiff: CustomStringConvertible {
  /// One line per change, those of sections first; `no changes` if there are none.
  public var description: String {
    let lines = sections.map(\.description) + changes.map(\.description)
    return lines.isEmpty ? "no changes" : lines.joined(separator: "\n")
  }
}

extension SnapshotDiff.ItemChange: CustomStringConvertible {
  /// The change in one line: `+ ada at friends[0]`, `- ada from friends[0]`, `> ada friends[0] →
  /// work[1], changed` or `~ ada at friends[0]`.
  public var description: String {
    switch self {
    case .delete(let item, let from): "- \(item) from \(from)"
    case .insert(let item, let to): "+ \(item) at \(to)"
    case .move(let item, let from, let to, let isUpdated):
      "> \(item) \(from) → \(to)\(isUpdated ? ", changed" : "")"
    case .update(let item, _, let to): "~ \(item) at \(to)"
    }
  }
}

extension SnapshotDiff.SectionChange: CustomStringConvertible {
  /// The change in one line: `+ section work at 1`, `- section work from 1`, `> section work 1 → 0`
  /// or `~ section work at 1`.
  public var description: String {
    switch self {
    case .delete(let section, let from): "- section \(section) from \(from)"
    case .insert(let section, let to): "+ section \(section) at \(to)"
    case .move(let section, let from, let to): "> section \(section) \(from) → \(to)"
    case .update(let section, _, let to): "~ section \(section) at \(to)"
    }
  }
}
