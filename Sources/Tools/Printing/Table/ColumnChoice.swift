package import Store

/// The columns of a live list, as `ColumnSurvey` chooses them. They are chosen again only for another view,
/// for a list that grew much, or if they say nothing about the rows in view, so that nothing shifts while
/// one scrolls or searches.
package struct ColumnChoice: Hashable, Sendable {
  package private(set) var columns: [TableColumn] = []
  /// The fields, the sort fields and the section that the columns depend on; nil before the first list.
  private var basis: [[FieldPath]]?
  private var widths: [FieldPath: Int] = [:]
  private var count = 0

  package init() {}

  /// Returns true if the columns were chosen again.
  ///
  /// - Parameter rows: The items in view. If one of their titles does not say its id, the id is shown.
  package mutating func update(for list: ListSnapshot<Item>, showing rows: [Item]) -> Bool {
    let request = list.request
    let section = [request.section?.path].compactMap { $0 }
    let basis = [request.fields, request.ownSort.compactMap(\.path), section]
    var isChosen = false
    if basis != self.basis || request.widths != widths || list.count > 2 * count
      || saysNothing(about: rows, request)
    {
      self.basis = basis
      widths = request.widths
      count = list.count
      columns = ColumnSurvey.columns(for: list)
      isChosen = true
    }
    if var check = TitleCheck(columns, of: request) {
      for item in rows { check.add(item) }
      if check.needsID {
        columns.insert(TableColumn(TableColumn.idPath, .readable), at: 1)
        isChosen = true
      }
    }
    return isChosen
  }

  private func saysNothing(about rows: [Item], _ request: FetchRequest) -> Bool {
    guard request.fields.isEmpty, columns.count > 1, !rows.isEmpty else { return false }
    return !rows.contains { row in
      columns.contains { $0.path != TableColumn.idPath && row.value(at: $0.path, limit: 1) != nil }
    }
  }
}
