package import Store

/// A column of a table for people, and the measures of its cells.
package struct TableColumn: Sendable, Hashable {
  /// The room that a column needs to be among those that are shown.
  package enum Room: Sendable, Hashable {
    /// A few columns: the view names the field.
    case narrow
    /// Enough to read the usual value.
    case readable
    /// The room that the other columns leave, for a long text.
    case rest
  }

  package let path: FieldPath
  let room: Room
  /// The width that the view gives the column; nil for what the cells need.
  package private(set) var width: Int?
  /// The width of the widest cell or the title, up to the limit of the measurement.
  private var measured: Int
  /// True if all values are numbers. They are right-aligned.
  package private(set) var isNumeric = true
  /// True if no value may be cut.
  private(set) var isRigid = true

  package init(_ path: FieldPath, _ room: Room = .narrow) {
    self.path = path
    self.room = room
    measured = DisplayText.width(of: TableColumn.title(path))
  }

  func with(width: Int?) -> TableColumn {
    var column = self
    column.width = width
    return column
  }

  /// The width that the view gives the column, if no value must be cut for it, or else that of the widest
  /// cell or the title.
  var naturalWidth: Int { width.map { isRigid ? max($0, measured) : $0 } ?? measured }

  /// True for a long text, which gets only the room that other columns leave.
  package var isLong: Bool { room == .rest }

  package var title: String { TableColumn.title(path) }

  /// Measures the cell of an item, whose value is shown as `text`.
  package mutating func measure(_ item: Item, limit: Int, as text: (Value) -> String = { $0.cellText }) {
    if let value = item.cellValue(at: path, columns: limit) { measure(value, limit: limit, as: text) }
  }

  mutating func measure(_ value: Value, limit: Int, as text: (Value) -> String = { $0.cellText }) {
    if case .null = value { return }
    measured = max(measured, DisplayText.width(of: text(value), limit: limit))
    if case .number = value {} else { isNumeric = false }
    if !value.isAtomic { isRigid = false }
  }

  /// Most tables show `@id`, so its title is just `id`.
  private static func title(_ path: FieldPath) -> String {
    path == TableColumn.idPath ? "id" : path.description
  }

  /// The field of the id.
  package static let idPath = FieldPath(keys: [PseudoField.id.rawValue])
}
