extension Snapshot {
  /// Returns a sentence about the first violated invariant, or nil. For tests. O(n).
  package func checkInvariants() -> String? {
    if let problem = index.brokenInvariant() { return problem }
    let listed = sectionNumbers(.all).flatMap { index.allItems(inSection: $0) }
    if listed.count != numberOfAllItems {
      return "\(listed.count) items are listed, \(numberOfAllItems) counted"
    }
    for number in listed where items.number(of: items[number]) != number {
      return "item \(items[number]) cannot be found by its identifier"
    }
    for number in sectionNumbers(.all) where sections.number(of: sections[number]) != number {
      return "section \(sections[number]) cannot be found by its identifier"
    }
    if items.trie.numbers().count != listed.count { return "there are identifiers that are not listed" }
    let marked = marks.reloadedItems.union(marks.reconfiguredItems)
    if !marked.isSubset(of: listed) { return "there are marks on missing items" }
    if !marks.reloadedSections.isSubset(of: sectionNumbers(.all)) {
      return "there are marks on missing sections"
    }
    return nil
  }
}
