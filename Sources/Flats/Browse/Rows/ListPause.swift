import Store

/// A pause of the list: what changed since its begin.
struct ListPause: Sendable {
  private var kinds: [Item.ID: RowMarks.Kind] = [:]
  private var deleted: Set<Item.ID> = []
  /// The rows in the order in which they changed first.
  private var order: [Item.ID] = []

  /// The number of rows that changed.
  var count: Int { kinds.count + deleted.count }

  /// The rows that changed and are there at the end, with the kinds of their marks.
  var marks: [(id: Item.ID, kind: RowMarks.Kind)] { order.compactMap { id in kinds[id].map { (id, $0) } } }

  /// Adds the changes of a report.
  mutating func add(_ report: ListReport) {
    guard let update = report.update else { return }
    for case .delete(let id, _) in update.itemChanges {
      kinds[id] = nil
      deleted.insert(id)
    }
    for (id, kind) in RowMarks.kinds(of: update) {
      // A row that disappeared and came back existed before: it changed.
      let isBack = deleted.remove(id) != nil
      if kinds[id] == nil { order.append(id) }
      kinds[id] = isBack ? .changed : kinds[id]?.followed(by: kind) ?? kind
    }
  }
}
