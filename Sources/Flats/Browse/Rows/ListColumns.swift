import Printing
import Store
import Values

/// The columns of the list and their widths. They change only with the view and the width, or when
/// a changed value needs more room, so that nothing shifts while one scrolls or searches.
struct ListColumns: Sendable, Hashable {
  /// The number of items that are measured at once.
  static let sampleSize = 256
  /// The number of columns before the first cell: the mark, the cursor, the selection and a blank.
  static let indent = 4

  private(set) var layout = TableLayout([], width: nil, indent: 0)
  private var columns: [TableColumn] = []
  private var basis: Basis?
  /// The number of items in the list whose columns were chosen.
  private var count = 0

  /// The values that the columns depend on.
  private struct Basis: Hashable {
    let fields: [FieldPath]
    let sort: [FieldPath]
    let section: FieldPath?
    let width: Int
  }

  var paths: [FieldPath] { layout.cells.map(\.column.path) }

  /// Chooses the columns again if the view or the width is a different one, or if the list was much
  /// smaller then. Reads a bounded number of items.
  mutating func update(for list: ResultsSnapshot, width: Int) {
    let request = list.request
    let basis = Basis(
      fields: request.fields, sort: request.sort.compactMap(\.path), section: request.section?.path,
      width: width)
    if basis == self.basis, list.count <= 2 * count { return }
    self.basis = basis
    count = list.count
    let room = max(width, ListColumns.indent + 1)
    let paths =
      request.fields.isEmpty
      ? ColumnSurvey.columns(for: list, width: room - ListColumns.indent) : request.fields
    columns = paths.map { TableColumn($0, limit: room) }
    measure(ListColumns.sample(of: list))
    layout = TableLayout(columns, width: room, indent: ListColumns.indent)
  }

  /// Makes room for the values of items that changed. Columns become wider, never narrower.
  mutating func adopt(_ items: [Item]) {
    guard let basis else { return }
    let old = columns
    measure(items)
    if columns != old {
      layout = TableLayout(
        columns, width: max(basis.width, ListColumns.indent + 1), indent: ListColumns.indent)
    }
  }

  private mutating func measure(_ items: [Item]) {
    let limit = max(basis?.width ?? 0, ListColumns.indent + 1)
    for item in items {
      for index in columns.indices {
        if let value = item.cellValue(at: columns[index].path, columns: limit) {
          columns[index].measure(value, limit: limit)
        }
      }
    }
  }

  /// Returns items from all parts of a list.
  private static func sample(of list: ResultsSnapshot) -> [Item] {
    let step = max(1, list.count / sampleSize)
    return stride(from: 0, to: list.count, by: step).map { list[$0] }
  }
}
