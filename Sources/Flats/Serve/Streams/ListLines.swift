import DiffableSnapshot
import Store

/// The lines of a list: the header of each section, if the view has sections, and each item.
struct ListLines: Sendable {
  /// The list.
  let list: ResultsSnapshot
  /// True if sections have headers.
  let hasHeaders: Bool

  /// One line.
  enum Line: Sendable, Hashable {
    /// The header of a section.
    case header(SectionID)
    /// An item, its section, and its number in the list from 0.
    case item(Item.ID, SectionID, number: Int)
  }

  /// Divides a list into lines.
  init(of list: ResultsSnapshot) {
    self.list = list
    hasHeaders = list.request.section != nil
  }

  /// The number of lines. O(1).
  var count: Int { list.count + (hasHeaders ? list.list.numberOfSections : 0) }

  /// Returns the line of an item; nil if the list does not show it. O(log n).
  func line(of id: Item.ID) -> Int? {
    guard let place = list.place(of: id), let number = list.index(of: id) else { return nil }
    guard hasHeaders, let rank = list.list.indexOfSection(place.section) else { return number }
    return number + rank + 1
  }

  /// Returns the lines in a range, clamped to those that exist. O(k + log² n) for k lines.
  func lines(in range: Range<Int>) -> [Line] {
    let range = range.clamped(to: 0..<count)
    if range.isEmpty { return [] }
    var lines: [Line] = []
    lines.reserveCapacity(range.count)
    var rank = section(ofLine: range.lowerBound)
    while lines.count < range.count, let section = list.list.sectionIdentifier(at: rank) {
      append(section, rank, range, to: &lines)
      rank += 1
    }
    return lines
  }

  /// Returns the header of the section that a line belongs to; nil if there are no headers.
  func header(ofLine line: Int) -> SectionID? {
    guard hasHeaders, (0..<count).contains(line) else { return nil }
    return list.list.sectionIdentifier(at: section(ofLine: line))
  }

  /// Appends the lines of a section that are in a range.
  private func append(_ section: SectionID, _ rank: Int, _ range: Range<Int>, to lines: inout [Line]) {
    let before = list.list.numberOfItems(beforeSection: section) ?? 0
    let start = hasHeaders ? before + rank : before
    if hasHeaders, range.contains(start) { lines.append(.header(section)) }
    let firstItem = hasHeaders ? start + 1 : start
    let items =
      max(
        range.lowerBound - firstItem, 0)..<max(range.upperBound - firstItem, range.lowerBound - firstItem, 0)
    for (offset, id) in zip(items, list.list.items(inSection: section, items)) {
      lines.append(.item(id, section, number: before + offset))
    }
  }

  /// Returns the number of the section that a line belongs to.
  private func section(ofLine line: Int) -> Int {
    // The last section whose first line is not after the line.
    var (low, high) = (0, list.list.numberOfSections - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if firstLine(ofSection: middle) <= line { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private func firstLine(ofSection rank: Int) -> Int {
    let before =
      list.list.sectionIdentifier(at: rank).flatMap { list.list.numberOfItems(beforeSection: $0) } ?? 0
    return hasHeaders ? before + rank : before
  }
}
