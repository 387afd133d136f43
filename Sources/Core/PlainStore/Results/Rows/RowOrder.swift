import Query

/// The order of rows: what lists must agree on to share their rows. Titles of sections do not count.
struct RowOrder: Sendable, Hashable {
  /// The sort descriptors that decide, down to the ids.
  let sort: [ItemSortDescriptor]
  /// The sections, and their order.
  let sections: SectionOrder
  private let section: SectionDescriptor?

  init(_ request: FetchRequest) {
    sort = request.decidingSort
    sections = SectionOrder(request.section)
    var section = request.section
    section?.titles = [:]
    self.section = section
  }

  static func == (a: RowOrder, b: RowOrder) -> Bool { a.sort == b.sort && a.section == b.section }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sort)
    hasher.combine(section)
  }
}
