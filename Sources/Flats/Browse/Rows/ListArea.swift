import Store
import Printing

/// The list that is shown, the cursor's row, and the line of the screen on which it is.
struct ListArea {
  /// The list that is shown; nil before the first one. During a pause it is an older one.
  private(set) var shown: ListSnapshot<Item>?
  /// The problems that are rows above the items.
  private(set) var problems: [Problem] = []
  private(set) var cursor: ScreenRow?
  private(set) var columns = ListColumns()
  var marks = RowMarks()
  var recent = RecentRows()
  var selection = RowSelection()

  private let showsProblems: Bool
  private var line = 0
  private var isAtTop = true
  /// The size of the window: without the titles of the columns.
  private var height = 0
  private var width = 0

  init(showsProblems: Bool) {
    self.showsProblems = showsProblems
  }

  var walk: RowWalk? { shown.map { RowWalk($0, problems, height: height) } }

  var window: RowWindow? { walk.map { RowWindow($0, cursor: cursor, line: line, height: height) } }

  mutating func resize(height: Int, width: Int) {
    self.height = height
    self.width = width
    settle()
  }

  /// The cursor stays on its row; if that is gone, it goes to the nearest row that is still there. It begins on
  /// the first item, below the problems. While a search is typed, it goes to the best match.
  mutating func show(_ list: ListSnapshot<Item>, atBestMatch: Bool = false) {
    let old = shown
    shown = list
    problems = showsProblems ? list.problemRows : []
    let walk = RowWalk(list, problems, height: height)
    if atBestMatch, let best = list.bestMatch {
      cursor = .item(best)
      line = walk.line(of: .item(best)) ?? 0
      return settle()
    }
    cursor =
      cursor.flatMap { row in old.flatMap { walk.row(nearestTo: row, in: list, since: $0) } }
      ?? walk.row(atIndex: list.isEmpty ? 0 : problems.count)
    if isAtTop, let place = cursor.flatMap(walk.line) {
      // At the start, many problems leave room for items.
      line = old == nil ? min(place, height / 2) : place
    }
    settle()
  }

  /// If the row is gone, the cursor goes to the nearest row of the painted list that is still there.
  mutating func move(to target: ScreenRow, in painted: ListSnapshot<Item>) {
    guard let shown, let walk, let row = walk.row(nearestTo: target, in: shown, since: painted) else {
      return
    }
    if let old = cursor.flatMap(walk.line), let new = walk.line(of: row) {
      line = min(max(line + new - old, 0), max(height - 1, 0))
    }
    cursor = row
    settle()
  }

  /// Moves the window by lines, negative for up, and keeps the cursor on its row.
  mutating func scroll(by lines: Int) {
    line = min(max(line - lines, 0), max(height - 1, 0))
    settle()
  }

  /// Scrolls sideways by columns, negative for left.
  mutating func scrollColumns(by step: Int) { columns.scroll(by: step) }

  /// The rows by which the cursor has to move for the window to scroll: 0 if its row stays in the window.
  func overflow(scrollingBy lines: Int) -> Int {
    let wanted = line - lines
    let lead = walk.flatMap { walk in cursor.flatMap(walk.place).map(walk.lead) } ?? 0
    return wanted < lead ? lead - wanted : min(0, height - 1 - wanted)
  }

  /// Adopts the first row that the ends of the list, the size and the view allow.
  private mutating func settle() {
    guard let shown, let window else { return }
    line = window.cursorLine
    isAtTop = window.isAtTop
    let rows = window.lines.compactMap { $0.row?.item.flatMap { shown[id: $0] } }
    columns.update(for: shown, width: width, showing: rows)
  }
}

extension ListSnapshot<Item> {
  /// The row that matches the search best: the first one of a section, as rows are ranked in their sections.
  var bestMatch: Item.ID? {
    guard let ranking = SearchRanking(request) else { return list.item(atIndex: 0) }
    var text = FoldedText()
    let searched = SearchedText(fields: request.searchFields)
    let first = list.sectionIdentifiers.prefix(64).compactMap {
      list.item(at: Place(section: $0, index: 0))
    }
    let ranked = first.compactMap { id in
      self[id: id].map { (id, ranking.rank(of: ItemFields($0), searched, &text)) }
    }
    return ranked.min { $0.1 < $1.1 }?.0
  }

  /// The number of rows that are looked at in each direction before the search for a near row ends.
  private static let nearestReach = 1_000

  /// The row that is nearest to one of an older list, by the places in that list; of two equally near ones
  /// the lower one. Nil if this list is empty. Costs at most about two thousand lookups.
  func nearestRow(to id: Item.ID, in old: ListSnapshot<Item>) -> Item.ID? {
    guard count > 0 else { return nil }
    guard let index = old.list.indexOfItem(id) else { return list.item(atIndex: 0) }
    if count <= ListSnapshot<Item>.nearestReach, count < old.count {
      let known = list.itemIdentifiers.compactMap { row in
        old.list.indexOfItem(row).map { (row: row, distance: abs($0 - index)) }
      }
      // Equally near rows are in the order of the list, and the last one wins.
      if let nearest = known.reversed().min(by: { $0.distance < $1.distance }) { return nearest.row }
    }
    for distance in 1...ListSnapshot<Item>.nearestReach {
      for near in [index + distance, index - distance] where old.list.numberOfItems > near && near >= 0 {
        if let row = old.list.item(atIndex: near), list.contains(row) { return row }
      }
    }
    return list.item(atIndex: Swift.min(index, count - 1))
  }
}

extension ListArea {
  /// The number of marks from which only rows around the cursor get others. A mark is seen only on
  /// the screen, and a key must not wait until 100,000 rows have theirs.
  private static let maxMarks = 2_000
  private static let markReach = 200

  /// Marks those in the list, makes them the last changed ones, and makes room for their values.
  mutating func mark(_ rows: [(id: Item.ID, kind: ChangeRow.Kind)], at time: ContinuousClock.Instant) {
    guard let shown else { return }
    let present: [(id: Item.ID, kind: ChangeRow.Kind)]
    if rows.count + marks.count > ListArea.maxMarks {
      let middle = cursor?.item.flatMap(shown.list.indexOfItem) ?? 0
      let near = Set(
        shown.list.items(
          in: max(middle - ListArea.markReach, 0)..<min(middle + ListArea.markReach, shown.count)))
      present = rows.filter { near.contains($0.id) }
    } else {
      present = rows.filter { shown.list.contains($0.id) }
    }
    columns.adopt(present.prefix(ColumnSurvey.sampleSize).compactMap { shown[id: $0.id] })
    marks.mark(Dictionary(present.map { ($0.id, $0.kind) }) { $0.followed(by: $1) }, at: time)
    recent.add(present.prefix(RecentRows.maxCount).map(\.id))
  }
}

/// In the order of selecting. A row stays selected while a search hides it.
struct RowSelection {
  private var items: [Item.ID: Item] = [:]
  private(set) var ids: [Item.ID] = []

  var isEmpty: Bool { ids.isEmpty }
  var count: Int { ids.count }

  func contains(_ id: Item.ID) -> Bool { items[id] != nil }

  subscript(id: Item.ID) -> Item? { items[id] }

  mutating func toggle(_ id: Item.ID, _ item: Item) {
    if items.removeValue(forKey: id) == nil {
      items[id] = item
      ids.append(id)
    } else {
      ids.removeAll { $0 == id }
    }
  }

  mutating func follow(_ update: ListUpdate<Item>) {
    guard !isEmpty else { return }
    let known = items.count
    for change in update.diff.changes {
      guard case .delete(let id, _) = change, items[id] != nil, update.reason(forDeleting: id) == .removed
      else { continue }
      items[id] = nil
    }
    // One pass: 10,000 selected rows may go at once.
    if items.count < known { ids.removeAll { items[$0] == nil } }
  }

  mutating func remove(_ items: Set<Item.ID>) {
    ids.removeAll { items.contains($0.item) }
    self.items = self.items.filter { !items.contains($0.key.item) }
  }

  mutating func clear() {
    items = [:]
    ids = []
  }
}

/// For `n` and `N`: the newest update first, and the rows of one update in the order of the list.
struct RecentRows {
  static let maxCount = 500

  private(set) var ids: [Item.ID] = []
  /// The number of the row that the cursor was moved to last; -1 if it was none of them.
  private(set) var current = -1

  mutating func add(_ new: [Item.ID]) {
    guard !new.isEmpty else { return }
    let added = Set(new)
    ids = Array((new + ids.filter { !added.contains($0) }).prefix(RecentRows.maxCount))
    current = -1
  }

  /// Nil if no row of the painted list changed. The step is 1 for an older change, -1 for a newer one.
  func target(_ step: Int, in list: ListSnapshot<Item>) -> (id: Item.ID, number: Int)? {
    guard !ids.isEmpty else { return nil }
    var number = current < 0 && step < 0 ? 0 : current
    for _ in ids {
      number = (number + step + ids.count) % ids.count
      if list.list.contains(ids[number]) { return (ids[number], number) }
    }
    return nil
  }

  mutating func visit(_ number: Int, _ id: Item.ID) {
    if ids.indices.contains(number), ids[number] == id { current = number }
  }
}
