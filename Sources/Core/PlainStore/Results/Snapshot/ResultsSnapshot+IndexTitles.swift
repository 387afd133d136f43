import Query

/// Section index titles: the letters at the edge of a long list.
extension ResultsSnapshot {
  /// The index titles of the sections, each once, in the order of the sections. A section without a
  /// name has none. O(s) for s sections.
  public var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return sections.compactMap(\.indexTitle).filter { seen.insert($0).inserted }
  }

  /// Returns the number of the first section with an index title; nil if there is none. O(s).
  public func sectionIndex(forIndexTitle title: String) -> Int? {
    sections.firstIndex { $0.indexTitle == title }
  }
}

extension ResultsSection {
  /// The first letter of the section's title as a capital: `É` for `élan`, in either encoding of
  /// the accent. A section without a title uses its id. Nil if both are empty.
  public var indexTitle: String? { (title ?? id.description).indexTitle }
}

extension FetchedResults {
  /// The index titles of the sections, each once, in the order of the sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }
}
