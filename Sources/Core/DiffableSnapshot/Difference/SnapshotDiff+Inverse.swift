extension SnapshotDiff {
  /// The reverse difference: applied to the newer snapshot, it gives the older one. O(c log c) for
  /// c changes.
  public var inverse: SnapshotDiff {
    let precedesBefore = SnapshotDiff.order(of: sourceSections)
    let precedesAfter = SnapshotDiff.order(of: targetSections)
    let inverted = changes.map(\.inverse)
    let deleted = inverted.filter { $0.to == nil }.sorted { precedesAfter($1.from, $0.from) }
    let placed = inverted.filter { $0.to != nil }.sorted { precedesBefore($0.to, $1.to) }
    return SnapshotDiff(
      sections: SnapshotDiff.ordered(sections.map(\.inverse)),
      changes: deleted + placed.filter { !$0.isUpdate } + placed.filter(\.isUpdate),
      sourceSections: targetSections, targetSections: sourceSections)
  }

  /// Returns changes of sections in the documented order.
  @usableFromInline
  static func ordered(_ changes: [SectionChange]) -> [SectionChange] {
    if changes.count < 2 { return changes }
    let deleted = changes.filter { $0.to == nil }.sorted { $0.from ?? 0 > $1.from ?? 0 }
    let placed = changes.filter { $0.to != nil }.sorted { $0.to ?? 0 < $1.to ?? 0 }
    return deleted + placed.filter { !$0.isUpdate } + placed.filter(\.isUpdate)
  }

  /// Returns the order of the places of one snapshot, as far as that of its sections is known.
  private static func order(of sections: [SectionID]) -> (Place<SectionID>?, Place<SectionID>?) -> Bool {
    var ranks: [SectionID: Int] = [:]
    for section in sections { ranks[section] = ranks.count }
    return { [ranks] a, b in
      guard let a, let b else { return false }
      if a.section == b.section { return a.index < b.index }
      return ranks[a.section, default: .max] < ranks[b.section, default: .max]
    }
  }
}

extension SnapshotDiff.SectionChange {
  fileprivate var isUpdate: Bool { if case .update = self { true } else { false } }

  fileprivate var inverse: Self {
    switch self {
    case .delete(let id, let from): .insert(id, to: from)
    case .insert(let id, let to): .delete(id, from: to)
    case .move(let id, let from, let to): .move(id, from: to, to: from)
    case .update(let id, let from, let to): .update(id, from: to, to: from)
    }
  }
}

extension SnapshotDiff.ItemChange {
  fileprivate var isUpdate: Bool { if case .update = self { true } else { false } }

  fileprivate var inverse: Self {
    switch self {
    case .delete(let id, let from): .insert(id, to: from)
    case .insert(let id, let to): .delete(id, from: to)
    case .move(let id, let from, let to, let isUpdated): .move(id, from: to, to: from, isUpdated: isUpdated)
    case .update(let id, let from, let to): .update(id, from: to, to: from)
    }
  }
}
