import Printing
import Store

/// The columns of the list and their widths. They change only with the view and the width, or when
/// a changed value needs more room, so that nothing shifts while one scrolls or searches.
struct ListColumns: Hashable {
  static let sampleSize = 256
  /// The number of columns before the first cell: the mark, the cursor, the selection and a blank.
  static let indent = 4

  private(set) var layout = TableLayout([], width: nil, indent: 0)
  private var columns: [TableColumn] = []
  /// The fields, the sort fields and the section that the columns depend on; nil before the first list.
  private var basis: [[FieldPath]]?
  private var width = 0
  private var count = 0

  var paths: [FieldPath] { layout.cells.map(\.column.path) }

  /// Chooses again for another view or width, or a list that grew much. Reads a bounded number of items.
  mutating func update(for list: ListSnapshot<Item>, width: Int) {
    let request = list.request
    let basis = [
      request.fields, request.ownSort.compactMap(\.path), [request.section?.path].compactMap { $0 },
    ]
    if basis == self.basis, width == self.width, list.count <= 2 * count { return }
    self.basis = basis
    self.width = width
    count = list.count
    let paths =
      request.fields.isEmpty
      ? ColumnSurvey.columns(for: list, width: room - ListColumns.indent) : request.fields
    columns = paths.map { TableColumn($0, limit: room) }
    measure(ListColumns.sample(of: list))
    layout = TableLayout(columns, width: room, indent: ListColumns.indent)
  }

  /// Makes room for the values of items that changed. Columns become wider, never narrower.
  mutating func adopt(_ items: [Item]) {
    guard basis != nil else { return }
    let old = columns
    measure(items)
    if columns != old { layout = TableLayout(columns, width: room, indent: ListColumns.indent) }
  }

  private var room: Int { max(width, ListColumns.indent + 1) }

  private mutating func measure(_ items: [Item]) {
    for item in items {
      for index in columns.indices { columns[index].measure(item, limit: room) }
    }
  }

  private static func sample(of list: ListSnapshot<Item>) -> [Item] {
    let step = max(1, list.count / sampleSize)
    return stride(from: 0, to: list.count, by: step).map { list[$0] }
  }
}
