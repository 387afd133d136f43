import PlainText

/// The order of sections: those that the request names, as it names them, then the rest by their ids in the order of strings.
struct SectionOrder: Sendable {
  private let descriptor: SectionDescriptor?
  private let ranks: [SectionID: Int]
  /// The sections that are there even when they are empty. Without a section descriptor: the one that holds everything.
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

  /// Made anew for each comparison: a list has few sections beside its items.
  func key(of id: SectionID) -> SortKey {
    var builder = SortKeyBuilder()
    builder.append(.number(.integer(ranks[id] ?? named.count)))
    if ranks[id] == nil { builder.append(.string(id.description), descending: descriptor?.isDescending ?? false) }
    return builder.finish()
  }
}
