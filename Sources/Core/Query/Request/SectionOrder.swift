package import Values

/// The order of sections: first those that the request names, then the others by id, as strings
/// sort, and at the end the section of items without a value or a first letter.
package struct SectionOrder: Sendable {
  private let descriptor: SectionDescriptor?
  private let ranks: [SectionID: Int]
  /// The sections that exist even if they are empty. Without a section descriptor, the only
  /// section.
  package let named: [SectionID]

  package init(_ descriptor: SectionDescriptor?) {
    self.descriptor = descriptor
    var ranks: [SectionID: Int] = [:]
    var named: [SectionID] = []
    for id in descriptor?.order ?? [""] where ranks[id] == nil {
      ranks[id] = named.count
      named.append(id)
    }
    self.ranks = ranks
    self.named = named
  }

  /// Returns the sections of an item. None is twice.
  package func sectionIDs(of item: some FieldSource, _ derived: DerivedValues?) -> [SectionID] {
    descriptor?.sectionIDs(of: item, derived) ?? [""]
  }

  /// True if there is more than the one section of lists without a descriptor.
  package var hasSections: Bool { descriptor != nil }

  /// True if an item can be in several sections.
  package var hasOccurrences: Bool { descriptor?.hasOccurrences ?? false }

  package func isNamed(_ id: SectionID) -> Bool { ranks[id] != nil }

  /// This is not cached, because a list has few sections compared to its items.
  package func key(of id: SectionID) -> SortKey {
    var builder = SortKeyBuilder()
    // Items without a value, and texts without a first letter, come last in both directions.
    let isLast = id == descriptor?.lastID
    builder.append(.number(.integer(ranks[id] ?? (isLast ? named.count + 1 : named.count))))
    if ranks[id] == nil { builder.append(.string(id.description), descending: descriptor?.isDescending ?? false) }
    return builder.finish()
  }
}
