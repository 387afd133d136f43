import Store

/// The part of a list that is on the screen: which row or heading is on which line. With sections, the first
/// line is always the heading of the section that the next line belongs to. The cursor's row is always in the
/// window.
struct RowWindow: Hashable {
  enum Line: Hashable {
    case heading(SectionID, count: Int)
    case row(Item.ID)
  }

  /// The lines from the top; fewer than the height if the list ends.
  private(set) var lines: [Line] = []
  private(set) var cursorLine = 0
  private(set) var isAtTop = true

  /// The height from which headings are shown. In a lower window they would hide the rows.
  private static let minHeadedHeight = 3

  static func walk(_ list: ListSnapshot<Item>, height: Int) -> RowWalk {
    RowWalk(list: list.list, hasHeadings: list.request.section != nil && height >= minHeadedHeight)
  }

  /// Puts the cursor's row on a line, or as near as the ends of the list allow. O(h log n) for a height h.
  init(_ list: ListSnapshot<Item>, cursor: Item.ID?, line: Int, height: Int) {
    let walk = RowWindow.walk(list, height: height)
    guard height > 0, let first = walk.first, let last = walk.last else { return }
    let lead = walk.hasHeadings ? 1 : 0
    var top = first
    if let cursor, let place = walk.place(of: cursor) {
      let wanted = min(max(line, lead), height - 1)
      top = walk.place(wanted - lead, above: place)
    }
    // A list that is long enough fills the window.
    let lowest = walk.place(height - 1 - lead, above: last)
    if lowest < top { top = lowest }
    if walk.hasHeadings, top.row <= 0 { top.row = -1 }
    isAtTop = top == first
    fill(walk, from: top, height)
    cursorLine = cursor.flatMap { lines.firstIndex(of: .row($0)) } ?? 0
  }

  private mutating func fill(_ walk: RowWalk, from top: RowWalk.Line, _ height: Int) {
    if walk.hasHeadings, top.row >= 0 { append((section: top.section, row: -1), walk) }
    var place: RowWalk.Line? = top
    while let current = place, lines.count < height {
      append(current, walk)
      place = walk.next(after: current)
    }
  }

  private mutating func append(_ place: RowWalk.Line, _ walk: RowWalk) {
    if let id = walk.id(at: place) { return lines.append(.row(id)) }
    guard let section = walk.list.sectionIdentifier(at: place.section) else { return }
    lines.append(.heading(section, count: walk.list.numberOfItems(inSection: section)))
  }
}

extension RowWindow.Line {
  var id: Item.ID? {
    if case .row(let id) = self { id } else { nil }
  }
}

/// Walks over the lines of a list without reading all of it. Each step costs O(log n).
struct RowWalk {
  /// Section and row from 0; -1 for the heading of the section, which comes before its first row.
  typealias Line = (section: Int, row: Int)

  let list: Snapshot<SectionID, Item.ID>
  let hasHeadings: Bool

  var first: Line? { next(after: (section: 0, row: hasHeadings ? -2 : -1)) }

  var last: Line? { previous(before: (section: list.numberOfSections, row: -1)) }

  func next(after place: Line) -> Line? {
    var section = place.section
    var row = place.row + 1
    while section < list.numberOfSections {
      if row < count(section) { return (section: section, row: row) }
      section += 1
      row = hasHeadings ? -1 : 0
    }
    return nil
  }

  func previous(before place: Line) -> Line? {
    let lowest = hasHeadings ? -1 : 0
    if place.row > lowest { return (section: place.section, row: place.row - 1) }
    var section = place.section - 1
    while section >= 0 {
      let row = count(section) - 1
      if row >= lowest { return (section: section, row: row) }
      section -= 1
    }
    return nil
  }

  func place(_ steps: Int, above place: Line) -> Line {
    var place = place
    for _ in 0..<max(steps, 0) {
      guard let above = previous(before: place) else { break }
      place = above
    }
    return place
  }

  func place(of id: Item.ID) -> Line? {
    guard let place = list.place(of: id), let section = list.indexOfSection(place.section) else { return nil }
    return (section: section, row: place.index)
  }

  /// Returns the number of lines above a row; nil if the list does not have it.
  func line(of id: Item.ID) -> Int? {
    guard let index = list.indexOfItem(id), let place = place(of: id) else { return nil }
    return hasHeadings ? index + place.section + 1 : index
  }

  func id(at place: Line) -> Item.ID? {
    guard place.row >= 0, let section = list.sectionIdentifier(at: place.section) else { return nil }
    return list.item(at: Place(section: section, index: place.row))
  }

  private func count(_ section: Int) -> Int {
    list.sectionIdentifier(at: section).map { list.numberOfItems(inSection: $0) } ?? 0
  }
}
