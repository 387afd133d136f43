extension Snapshot {
  /// Says in a sentence what is wrong with the structure, or nothing: for tests. O(n).
  package func checkInvariants() -> String? {
    if let problem = index.brokenInvariant() { return problem }
    let listed = sectionNumbers(.all).flatMap { index.allItems(inSection: $0) }
    if listed.count != numberOfAllItems { return "\(listed.count) items are listed, \(numberOfAllItems) counted" }
    for number in listed where items.number(of: items[number]) != number {
      return "item \(items[number]) is not found by its identifier"
    }
    for number in sectionNumbers(.all) where sections.number(of: sections[number]) != number {
      return "section \(sections[number]) is not found by its identifier"
    }
    if items.trie.numbers().count != listed.count { return "identifiers are found that are not listed" }
    let marked = marks.reloadedItems.union(marks.reconfiguredItems)
    if !marked.isSubset(of: listed) { return "items are marked that are not there" }
    if !marks.reloadedSections.isSubset(of: sectionNumbers(.all)) { return "sections are marked that are not there" }
    return nil
  }
}
