extension SnapshotDiff {
  /// The reverse difference: applied to the newer snapshot, it gives the older one. O(c log c) for
  /// c changes.
  public var inverse: SnapshotDiff {
    var inverse = SnapshotDiff(
      sections: invertedSections(), changes: [], sourceSections: targetSections,
      targetSections: sourceSections)
    let precedesBefore = SnapshotDiff.order(of: sourceSections)
    let precedesAfter = SnapshotDiff.order(of: targetSections)
    let placed = changes.compactMap { $0.inverseWithTo }.sorted { precedesBefore($0.to, $1.to) }
    let deleted = changes.compactMap { $0.inverseDelete }.sorted { precedesAfter($1.from, $0.from) }
    inverse.changes =
      deleted.map(\.change) + placed.filter { !$0.isUpdate }.map(\.change)
      + placed.filter(\.isUpdate).map(\.change)
    return inverse
  }

  private func invertedSections() -> [SectionChange] {
    var deletes: [(from: Int, change: SectionChange)] = []
    var placed: [(to: Int, change: SectionChange)] = []
    var updates: [(to: Int, change: SectionChange)] = []
    for change in sections {
      switch change {
      case .delete(let id, let from): placed.append((from, .insert(id, to: from)))
      case .insert(let id, let to): deletes.append((to, .delete(id, from: to)))
      case .move(let id, let from, let to): placed.append((from, .move(id, from: to, to: from)))
      case .update(let id, let from, let to): updates.append((from, .update(id, from: to, to: from)))
      }
    }
    deletes.sort { $0.from > $1.from }
    placed.sort { $0.to < $1.to }
    updates.sort { $0.to < $1.to }
    return deletes.map(\.change) + placed.map(\.change) + updates.map(\.change)
  }

  /// Returns the order of the places of one snapshot, as far as that of its sections is known.
  private static func order(of sections: [SectionID]) -> (Place<SectionID>, Place<SectionID>) -> Bool {
    var ranks: [SectionID: Int] = [:]
    for section in sections { ranks[section] = ranks.count }
    return { [ranks] a, b in
      if a.section == b.section { return a.index < b.index }
      return ranks[a.section, default: .max] < ranks[b.section, default: .max]
    }
  }
}

extension SnapshotDiff.ItemChange {
  fileprivate var inverseDelete: (from: Place<SectionID>, change: Self)? {
    guard case .insert(let id, let to) = self else { return nil }
    return (to, .delete(id, from: to))
  }

  fileprivate var inverseWithTo: (to: Place<SectionID>, isUpdate: Bool, change: Self)? {
    switch self {
    case .insert: nil
    case .delete(let id, let from): (from, false, .insert(id, to: from))
    case .move(let id, let from, let to, let isUpdated):
      (from, false, .move(id, from: to, to: from, isUpdated: isUpdated))
    case .update(let id, let from, let to): (from, true, .update(id, from: to, to: from))
    }
  }
}
