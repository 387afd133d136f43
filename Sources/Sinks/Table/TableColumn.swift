import PlainStore
import PlainText

/// One column of a table for people, and what was learnt about its cells.
struct TableColumn: Sendable, Hashable {
  let path: FieldPath
  /// The columns that its widest cell or its title takes, up to the limit that it was measured with.
  private(set) var natural: Int
  /// Whether all of its values are numbers: they stand flush right.
  private(set) var isNumeric = true
  /// Whether none of its values may be cut.
  private(set) var isRigid = true

  init(_ path: FieldPath, limit: Int = .max) {
    self.path = path
    natural = DisplayText.width(of: TableColumn.title(path), limit: limit)
  }

  var title: String { TableColumn.title(path) }

  mutating func measure(_ value: Value, limit: Int) {
    if case .null = value { return }
    natural = max(natural, DisplayText.width(of: value.cellText, limit: limit))
    if case .number = value {} else { isNumeric = false }
    if !value.isCutBadly { isRigid = false }
  }

  /// `@id` is the one pseudo-field that every table shows, so it goes without its sign there.
  private static func title(_ path: FieldPath) -> String {
    path == TableColumn.idPath ? "id" : path.description
  }

  static let idPath = FieldPath(keys: [PseudoField.id.rawValue])
}
