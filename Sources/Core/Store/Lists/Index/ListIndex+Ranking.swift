/// The order of relevance. It changes with the search text, unlike that of the shared rows, so each list has
/// its own: of the rows that it shows, whose texts the shared rows may have.
extension ListIndex {
  /// If more than one in this many rows changes, all rows are ranked again.
  private static let rowsPerChange = 64

  /// Ranks all shown rows. O(n), without a comparison of their fields.
  mutating func rank(isTyping: Bool) {
    guard let ranking else { return ranked = nil }
    let ranks: [Int]
    if all.numberOfAllItems >= minCorpusItems, isTyping || shared.hasTexts,
      let corpus = shared.corpus(filter.searched, of: rows, isTyping: isTyping)
    {
      ranks = corpus.ranks(by: ranking, of: RowSet(shownIn: all, limit: all.itemNumberLimit))
    } else {
      var found = [Int](repeating: ranking.worst, count: all.itemNumberLimit)
      var text = FoldedText()
      all.forEachItem(includingHidden: false) { number, id in
        found[number] = self.rank(of: id, ranking, &text)
      }
      ranks = found
    }
    ranked = all.reordered { numbers in
      // The place of the next row of each rank.
      var places = [Int](repeating: 0, count: ranking.worst + 2)
      for number in numbers { places[ranks[Int(number)] + 1] += 1 }
      for rank in places.indices.dropFirst() { places[rank] += places[rank - 1] }
      var ordered = numbers
      for number in numbers {
        ordered[places[ranks[Int(number)]]] = number
        places[ranks[Int(number)]] += 1
      }
      return ordered
    }
  }

  /// Ranks the rows that a step changed. All others keep their ranks and their order. O(k log n).
  mutating func rank(_ touched: Set<Item.ID>) {
    guard let ranking, ranked != nil else { return }
    if touched.count * ListIndex.rowsPerChange > all.numberOfAllItems { return rank(isTyping: false) }
    for id in touched { unrank(id) }
    var text = FoldedText()
    for id in touched where all.isHidden(id) == false { insert(id, ranking, &text) }
  }

  private func rank(of id: Item.ID, _ ranking: SearchRanking, _ text: inout FoldedText) -> Int {
    rows.state.items[id.item].map { ranking.rank(of: rows.state.fields(of: $0), filter.searched, &text) }
      ?? ranking.worst
  }

  // The edits below cannot fail: each checks first that its rows exist, or do not exist.

  private mutating func unrank(_ id: Item.ID) {
    guard
      let section = ranked?.sectionIdentifier(containingItem: id) ?? ranked?.placeAmongAll(of: id)?.section
    else {
      return
    }
    try? ranked?.deleteItems([id])
    // An empty section would be shown.
    if ranked?.numberOfAllItems(inSection: section) == 0, ranked?.isPinned(section: section) != true {
      try? ranked?.deleteSections([section])
    }
  }

  private mutating func insert(_ id: Item.ID, _ ranking: SearchRanking, _ text: inout FoldedText) {
    guard let place = all.placeAmongAll(of: id), var list = ranked else { return }
    ranked = nil
    defer { ranked = list }
    if list.numberOfAllItems(inSection: place.section) == nil {
      let sections = rows.order.sections
      let key = sections.key(of: place.section)
      let number = list.sectionPartitionPointAmongAll { sections.key(of: $0) > key }
      try? list.insertSection(place.section, atIndexAmongAll: number)
    }
    let own = rank(of: id, ranking, &text)
    let index = list.partitionPoint(inSection: place.section) { other in
      let rank = self.rank(of: other, ranking, &text)
      return rank == own ? all.placeAmongAll(of: other).map { $0.index > place.index } ?? false : rank > own
    }
    try? list.insertItem(id, inSection: place.section, at: index)
  }
}
