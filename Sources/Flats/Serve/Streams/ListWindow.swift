import Store

/// The lines of a list that a client shows: the header of each section, if the view has sections,
/// and the items.
struct ListWindow {
  enum Line: Hashable {
    case header(SectionID)
    /// An item, its section, and its number in the list from 0.
    case item(Item.ID, SectionID, number: Int)
  }

  /// The number of the first line, from 0.
  let first: Int
  let lines: [Line]
  let lineCount: Int
  /// The section that the first line belongs to; nil if there are no headers.
  let section: SectionID?
  let ids: [Item.ID]
  var shownItems: [Item] { Array(items.values) }
  private var items: [Item.ID: Item] = [:]
  private let fields: [FieldPath]

  /// Finds the lines of a window. A window that extends beyond the end of the list begins earlier.
  /// O(k + log² n) for k lines.
  init(_ window: RequestedWindow, of list: ListSnapshot<Item>) {
    lineCount = list.lineCount
    let wanted =
      switch window.start {
      case .line(let line): line
      case .item(let id, let offset): list.line(of: id).map { $0 - offset } ?? 0
      }
    first = max(0, min(wanted, lineCount - window.count))
    lines = list.lines(in: first..<first + window.count)
    section = list.header(ofLine: first)
    ids = lines.compactMap { line in if case .item(let id, _, _) = line { id } else { nil } }
    fields = list.request.fields
    for id in ids { items[id] = list.item(ofShownRow: id) }
  }

  /// Returns true if the window shows this version of the item.
  func has(_ item: Item, as id: Item.ID) -> Bool {
    guard let known = items[id] else { return false }
    return known === item || known.path == item.path && known.fields == item.fields
  }

  /// Returns true if the window shows the item with this value.
  func has(_ item: Item, as id: Item.ID, showing fields: [FieldPath]) -> Bool {
    guard let known = items[id], fields == self.fields else { return false }
    if known === item { return true }
    return known.path == item.path && known.projected(fields) == item.projected(fields)
  }
}

extension ListSnapshot<Item> {
  private var hasHeaders: Bool { request.section != nil }

  /// The number of lines. O(1).
  var lineCount: Int { count + (hasHeaders ? list.numberOfSections : 0) }

  /// Returns the line of an item; nil if the list does not show it. O(log n).
  func line(of id: Item.ID) -> Int? {
    guard let place = place(of: id), let number = index(of: id) else { return nil }
    return hasHeaders ? number + place.section + 1 : number
  }

  /// Returns the lines in a range, clamped to those that exist. O(k + log² n) for k lines.
  func lines(in range: Range<Int>) -> [ListWindow.Line] {
    let range = range.clamped(to: 0..<lineCount)
    if range.isEmpty { return [] }
    var lines: [ListWindow.Line] = []
    lines.reserveCapacity(range.count)
    var rank = section(ofLine: range.lowerBound)
    while lines.count < range.count, let section = list.sectionIdentifier(at: rank) {
      append(section, rank, range, to: &lines)
      rank += 1
    }
    return lines
  }

  /// Returns the header of the section that a line belongs to; nil if there are no headers.
  fileprivate func header(ofLine line: Int) -> SectionID? {
    guard hasHeaders, (0..<lineCount).contains(line) else { return nil }
    return list.sectionIdentifier(at: section(ofLine: line))
  }

  private func append(
    _ section: SectionID, _ rank: Int, _ range: Range<Int>, to lines: inout [ListWindow.Line]
  ) {
    let before = list.numberOfItems(beforeSection: section) ?? 0
    let start = hasHeaders ? before + rank : before
    if hasHeaders, range.contains(start) { lines.append(.header(section)) }
    let firstItem = hasHeaders ? start + 1 : start
    let items = (range.lowerBound - firstItem..<range.upperBound - firstItem).clamped(to: 0..<Int.max)
    for (offset, id) in zip(items, list.items(inSection: section, items)) {
      lines.append(.item(id, section, number: before + offset))
    }
  }

  private func section(ofLine line: Int) -> Int {
    // The last section whose first line is not after the line.
    var low = 0
    var high = list.numberOfSections - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if firstLine(ofSection: middle) <= line { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private func firstLine(ofSection rank: Int) -> Int {
    let before = list.sectionIdentifier(at: rank).flatMap { list.numberOfItems(beforeSection: $0) } ?? 0
    return hasHeaders ? before + rank : before
  }
}
