/// Section index titles: the letters at the edge of a long list.
extension ResultsSnapshot {
  /// The index titles of the sections, each once, in the order of the sections. Sections without a name have none. O(s).
  public var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return sections.compactMap(\.indexTitle).filter { seen.insert($0).inserted }
  }

  /// The number of the first section with an index title; nil where there is none. O(s).
  public func sectionIndex(forIndexTitle title: String) -> Int? { sections.firstIndex { $0.indexTitle == title } }
}

extension ResultsSnapshot.Section {
  /// The first letter of the section's title, or of its id where it has none, as a capital: `É` for `élan`, whichever way the accent is written. Nil where there is nothing.
  public var indexTitle: String? {
    let name = (title ?? id.description).drop(while: \.isWhitespace)
    guard let first = name.first, let scalar = first.unicodeScalars.first else { return nil }
    // As at the start of a title, so `Ǆ` is `ǅ`; of what becomes two letters, as `ß` does, the first.
    let capital = scalar.properties.titlecaseMapping + String(String.UnicodeScalarView(first.unicodeScalars.dropFirst()))
    return capital.first.map { String($0) }
  }
}

extension FetchedResults {
  /// The index titles of the sections, each once, in the order of the sections.
  public var sectionIndexTitles: [String] { snapshot.sectionIndexTitles }
}
