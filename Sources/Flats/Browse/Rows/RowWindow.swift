import DiffableSnapshot
import Store

/// The part of a list that is on the screen: which row or heading is on which line.
///
/// If there are sections, the first line is always the heading of the section that the next line
/// belongs to. The cursor's row is always in the window.
struct RowWindow: Hashable, Sendable {
  /// The content of a line.
  enum Line: Hashable, Sendable {
    case heading(SectionID, count: Int)
    case row(Item.ID)
  }

  /// The lines from the top; fewer than the height if the list ends.
  private(set) var lines: [Line] = []
  /// The line of the cursor's row.
  private(set) var cursorLine = 0
  /// True if the window begins with the first line of the list.
  private(set) var isAtTop = true

  /// The height from which headings are shown. In a lower window they would hide the rows.
  private static let minHeadedHeight = 3

  /// Returns the walk over a list for a window of this height.
  static func walk(_ list: ResultsSnapshot, height: Int) -> RowWalk {
    RowWalk(list: list.list, hasHeadings: list.request.section != nil && height >= minHeadedHeight)
  }

  /// Finds the window in which the cursor's row is on a line, or as near to it as the ends of the
  /// list allow. O(h log n) for a height h.
  init(_ list: ResultsSnapshot, cursor: Item.ID?, line: Int, height: Int) {
    let walk = RowWindow.walk(list, height: height)
    guard height > 0, let first = walk.first, let last = walk.last else { return }
    let lead = walk.hasHeadings ? 1 : 0
    var top = first
    if let cursor, let place = walk.place(of: cursor) {
      let wanted = min(max(line, lead), height - 1)
      top = walk.place(wanted - lead, above: place)
    }
    // A list that is long enough fills the window.
    top = min(top, walk.place(height - 1 - lead, above: last))
    if walk.hasHeadings, top.row <= 0 { top.row = -1 }
    isAtTop = top == first
    fill(walk, from: top, height)
    cursorLine = cursor.flatMap { lines.firstIndex(of: .row($0)) } ?? 0
  }

  private mutating func fill(_ walk: RowWalk, from top: RowPlace, _ height: Int) {
    if walk.hasHeadings, top.row >= 0 { append(RowPlace(section: top.section, row: -1), walk) }
    var place: RowPlace? = top
    while let current = place, lines.count < height {
      append(current, walk)
      place = walk.next(after: current)
    }
  }

  private mutating func append(_ place: RowPlace, _ walk: RowWalk) {
    if let id = walk.id(at: place) { return lines.append(.row(id)) }
    guard let section = walk.list.sectionIdentifier(at: place.section) else { return }
    lines.append(.heading(section, count: walk.list.numberOfItems(inSection: section)))
  }
}

extension RowWindow.Line {
  /// The id of the row; nil for a heading.
  var id: Item.ID? {
    if case .row(let id) = self { id } else { nil }
  }
}
