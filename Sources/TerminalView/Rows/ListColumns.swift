import PlainStore
import PlainText
import Sinks

/// The columns of the list and their widths. They change only with the view and the width, so that
/// nothing shifts while one scrolls or searches.
struct ListColumns: Sendable, Hashable {
  /// The number of items that are measured.
  private static let sampleSize = 256
  /// The number of columns before the first cell: the mark, the cursor, the selection and a blank.
  static let indent = 4

  /// The columns that fit.
  private(set) var layout = TableLayout([], width: nil, indent: 0)
  private var basis: Basis?

  /// What the columns depend on.
  private struct Basis: Hashable {
    let fields: [FieldPath]
    let sort: [FieldPath]
    let section: FieldPath?
    let width: Int
    /// True if there was an item to measure.
    let isMeasured: Bool
  }

  /// The fields that are shown.
  var paths: [FieldPath] { layout.cells.map(\.column.path) }

  /// Chooses the columns again if the view or the width is another one. Reads a bounded number of
  /// items.
  mutating func update(for list: ResultsSnapshot, width: Int) {
    let request = list.request
    let basis = Basis(
      fields: request.fields, sort: request.sort.compactMap(\.path), section: request.section?.path, width: width,
      isMeasured: list.count > 0)
    if basis == self.basis || isMoreThan(basis) { return }
    self.basis = basis
    let room = max(width, ListColumns.indent + 1)
    let paths = request.fields.isEmpty ? ColumnSurvey.columns(for: list, width: room - ListColumns.indent) : request.fields
    var columns = paths.map { TableColumn($0, limit: room) }
    for item in ListColumns.sample(of: list) {
      for index in columns.indices {
        if let value = item.value(at: columns[index].path) { columns[index].measure(value, limit: room) }
      }
    }
    layout = TableLayout(columns, width: room, indent: ListColumns.indent)
  }

  /// Returns true if the columns are those of a list with items, and another basis differs only in
  /// that its list is empty.
  private func isMoreThan(_ other: Basis) -> Bool {
    guard let basis, basis.isMeasured, !other.isMeasured else { return false }
    return basis
      == Basis(fields: other.fields, sort: other.sort, section: other.section, width: other.width, isMeasured: true)
  }

  /// Returns items from all parts of a list.
  private static func sample(of list: ResultsSnapshot) -> [Item] {
    let step = max(1, list.count / sampleSize)
    return stride(from: 0, to: list.count, by: step).map { list[$0] }
  }
}
