import PlainText

/// The order of sections: first those that the request names, then the others by id, as strings
/// sort.
struct SectionOrder: Sendable {
  private let descriptor: SectionDescriptor?
  private let ranks: [SectionID: Int]
  /// The sections that exist even if they are empty. Without a section descriptor, the only
  /// section.
  let named: [SectionID]

  init(_ descriptor: SectionDescriptor?) {
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

  func sectionID(of item: Item) -> SectionID { descriptor?.sectionID(of: item) ?? "" }

  func isNamed(_ id: SectionID) -> Bool { ranks[id] != nil }

  /// This is not cached, because a list has few sections compared to its items.
  func key(of id: SectionID) -> SortKey {
    var builder = SortKeyBuilder()
    builder.append(.number(.integer(ranks[id] ?? named.count)))
    if ranks[id] == nil { builder.append(.string(id.description), descending: descriptor?.isDescending ?? false) }
    return builder.finish()
  }
}
