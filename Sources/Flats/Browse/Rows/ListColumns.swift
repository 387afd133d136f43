import Printing
import Store

/// The columns of the list and their widths. They change only with the view and the width, or when
/// a changed value needs more room, so that nothing shifts while one scrolls or searches.
struct ListColumns: Hashable {
  /// The number of columns before the first cell: the mark, the cursor, the selection and a blank.
  static let indent = 4

  private(set) var layout = TableLayout([], width: nil, indent: 0)
  /// The number of columns after the first one that were scrolled out of view to the left.
  private(set) var skipped = 0
  private var choice = ColumnChoice()
  private var columns: [TableColumn] = []
  private var width = 0

  /// The fields that have room, from the left.
  var paths: [FieldPath] { layout.cells.map(\.column.path) }

  /// All fields, also those that were scrolled out of view or have no room, but no long text without room.
  var allPaths: [FieldPath] {
    let shown = Set(paths)
    return columns.filter { !$0.isLong || shown.contains($0.path) }.map(\.path)
  }

  /// The widths on the screen.
  var widths: [FieldPath: Int] {
    Dictionary(layout.cells.map { ($0.column.path, $0.width) }) { first, _ in first }
  }

  /// Chooses again if `ColumnChoice` does. Reads a bounded number of items.
  ///
  /// - Parameter rows: The items in view.
  mutating func update(for list: ListSnapshot<Item>, width: Int, showing rows: [Item]) {
    let isChosen = choice.update(for: list, showing: rows)
    guard isChosen || width != self.width else { return }
    self.width = width
    if choice.columns.map(\.path) != columns.map(\.path) { skipped = 0 }
    columns = choice.columns
    measure(list.sample)
    arrange()
  }

  /// Makes room for the values of items that changed. Columns become wider, never narrower.
  mutating func adopt(_ items: [Item]) {
    let old = columns
    measure(items)
    if columns != old { arrange() }
  }

  /// Scrolls sideways by columns, negative for left. The first one stays, so that rows have their names.
  mutating func scroll(by step: Int) {
    if step > 0, !layout.isPartial { return }
    skipped = max(0, min(skipped + step, columns.count - 2))
    arrange()
  }

  private mutating func arrange() {
    let shown = columns.prefix(1) + columns.dropFirst(1 + skipped)
    layout = TableLayout(Array(shown), width: room, indent: ListColumns.indent)
  }

  private var room: Int { max(width, ListColumns.indent + 1) }

  private mutating func measure(_ items: [Item]) {
    for item in items {
      for index in columns.indices { columns[index].measure(item, limit: room, as: \.shownText) }
    }
  }
}
