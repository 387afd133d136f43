import Store

/// The part of a list that is on the screen: which row or heading is on which line. With headings, the first
/// line is always the heading of the section that the next line belongs to. The cursor's row is always in the
/// window.
struct RowWindow: Hashable {
  enum Line: Hashable {
    /// The section of the problems is nil.
    case heading(SectionID?, count: Int)
    case row(ScreenRow)
  }

  /// The lines from the top; fewer than the height if the list ends.
  private(set) var lines: [Line] = []
  private(set) var cursorLine = 0
  private(set) var isAtTop = true

  /// Puts the cursor's row on a line, or as near as the ends of the list allow. O(h log n) for a height h.
  init(_ walk: RowWalk, cursor: ScreenRow?, line: Int, height: Int) {
    guard height > 0, let first = walk.first, let last = walk.last else { return }
    var top = first
    if let cursor, let place = walk.place(of: cursor) {
      top = RowWindow.top(walk, min(max(line, walk.lead(of: place)), height - 1), above: place)
    }
    // A list that is long enough fills the window.
    let lowest = RowWindow.top(walk, height - 1, above: last)
    if lowest < top { top = lowest }
    isAtTop = top == first
    fill(walk, from: top, height)
    cursorLine = cursor.flatMap { lines.firstIndex(of: .row($0)) } ?? 0
  }

  /// Returns the first line of a window in which a place is on a line, or above it. The heading of the first
  /// line needs a line of its own.
  private static func top(_ walk: RowWalk, _ line: Int, above place: RowWalk.Line) -> RowWalk.Line {
    let top = walk.place(line, above: place)
    return line > 0 && top.row >= 0 && walk.lead(of: top) > 0 ? walk.next(after: top) ?? top : top
  }

  private mutating func fill(_ walk: RowWalk, from top: RowWalk.Line, _ height: Int) {
    if walk.lead(of: top) > 0, top.row >= 0 { append((section: top.section, row: -1), walk) }
    var place: RowWalk.Line? = top
    while let current = place, lines.count < height {
      append(current, walk)
      place = walk.next(after: current)
    }
  }

  private mutating func append(_ place: RowWalk.Line, _ walk: RowWalk) {
    if let row = walk.row(at: place) { return lines.append(.row(row)) }
    let section = place.section < 0 ? nil : walk.list.sectionIdentifier(at: place.section)
    lines.append(.heading(section, count: walk.count(place.section)))
  }
}

extension RowWindow.Line {
  var row: ScreenRow? {
    if case .row(let row) = self { row } else { nil }
  }
}

/// Walks over the lines of a list without reading all of it: the problems, and below them the items. Each
/// step costs O(log n).
struct RowWalk {
  /// Section and row from 0; -1 for the heading of the section, which comes before its first row. The problems
  /// are section -1.
  typealias Line = (section: Int, row: Int)

  let list: Snapshot<SectionID, Item.ID>
  /// In the order of their paths.
  let problems: [Problem]
  private let hasSections: Bool
  /// False in a low window, where headings would hide the rows.
  private let hasHeadings: Bool

  private static let minHeadedHeight = 3

  init(_ list: ListSnapshot<Item>, _ problems: [Problem], height: Int) {
    self.list = list.list
    self.problems = problems
    hasSections = list.request.section != nil
    hasHeadings = height >= RowWalk.minHeadedHeight
  }

  var first: Line? { next(after: (section: -1, row: -1 - lead(of: (section: -1, row: 0)))) }

  var last: Line? { previous(before: (section: list.numberOfSections, row: -1)) }

  /// The number of rows, without headings.
  var count: Int { problems.count + list.numberOfItems }

  /// Returns 1 if the section of a line has a heading, otherwise 0.
  func lead(of place: Line) -> Int {
    hasHeadings && (place.section < 0 ? !problems.isEmpty : hasSections) ? 1 : 0
  }

  func next(after place: Line) -> Line? {
    var place: Line = (section: place.section, row: place.row + 1)
    while place.section < list.numberOfSections {
      if place.row < count(place.section) { return place }
      place.section += 1
      place.row = -lead(of: place)
    }
    return nil
  }

  func previous(before place: Line) -> Line? {
    if place.row > -lead(of: place) { return (section: place.section, row: place.row - 1) }
    for section in stride(from: place.section - 1, through: -1, by: -1) {
      let last: Line = (section: section, row: count(section) - 1)
      if last.row >= -lead(of: last) { return last }
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

  func place(of row: ScreenRow) -> Line? {
    switch row {
    case .problem(let path): return number(of: path).map { (section: -1, row: $0) }
    case .item(let id):
      guard let place = list.place(of: id), let section = list.indexOfSection(place.section) else {
        return nil
      }
      return (section: section, row: place.index)
    }
  }

  /// Returns the number of lines above a row; nil if the list does not have it.
  func line(of row: ScreenRow) -> Int? {
    guard let place = place(of: row), let index = index(of: row) else { return nil }
    let headings = place.section < 0 ? 0 : (place.section + 1) * lead(of: place)
    return index + headings + lead(of: (section: -1, row: 0))
  }

  func row(at place: Line) -> ScreenRow? {
    guard place.row >= 0 else { return nil }
    if place.section < 0 { return .problem(problems[place.row].path) }
    let section = list.sectionIdentifier(at: place.section)
    return section.flatMap { list.item(at: Place(section: $0, index: place.row)) }.map(ScreenRow.item)
  }

  /// Returns a row by its number from 0, counted without headings; nil if there are fewer.
  func row(atIndex index: Int) -> ScreenRow? {
    if problems.indices.contains(index) { return .problem(problems[index].path) }
    return index < 0 ? nil : list.item(atIndex: index - problems.count).map(ScreenRow.item)
  }

  func index(of row: ScreenRow) -> Int? {
    switch row {
    case .problem(let path): number(of: path)
    case .item(let id): list.indexOfItem(id).map { $0 + problems.count }
    }
  }

  func problem(of path: RelativePath) -> Problem? { number(of: path).map { problems[$0] } }

  private func number(of path: RelativePath) -> Int? {
    let number = problems.prefixCount { $0.path < path }
    return number < problems.count && problems[number].path == path ? number : nil
  }

  /// Returns the row, or the nearest one if it is gone: of the items as they were in an older list; after a
  /// problem the next one. Nil if there are no rows.
  func row(nearestTo row: ScreenRow, in list: ListSnapshot<Item>, since old: ListSnapshot<Item>) -> ScreenRow?
  {
    switch row {
    case .item(let id):
      let near = self.list.contains(id) ? id : list.nearestRow(to: id, in: old)
      return near.map(ScreenRow.item) ?? self.row(atIndex: 0)
    case .problem(let path):
      let next = problems.prefixCount { $0.path < path }
      return self.row(atIndex: problems.isEmpty ? 0 : min(next, problems.count - 1))
    }
  }

  func count(_ section: Int) -> Int {
    if section < 0 { return problems.count }
    return list.sectionIdentifier(at: section).map { list.numberOfItems(inSection: $0) } ?? 0
  }
}
