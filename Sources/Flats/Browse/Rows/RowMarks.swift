import Store
import Printing
import Terminal

/// The marks of rows that changed a moment ago: inserted, moved or changed.
struct RowMarks {
  static let lifetime = Duration.seconds(3)
  /// Marks that begin within this time end together, so that a burst of updates fades in few frames.
  private static let step = Duration.milliseconds(250)

  private var kinds: [Item.ID: (kind: ChangeRow.Kind, end: ContinuousClock.Instant)] = [:]
  private var ends: [(end: ContinuousClock.Instant, ids: [Item.ID])] = []

  var count: Int { kinds.count }

  var deadline: ContinuousClock.Instant? { ends.first?.end }

  subscript(id: Item.ID) -> ChangeRow.Kind? { kinds[id]?.kind }

  mutating func mark(_ rows: [Item.ID: ChangeRow.Kind], at time: ContinuousClock.Instant) {
    guard !rows.isEmpty else { return }
    let end: ContinuousClock.Instant
    if let last = ends.indices.last, ends[last].end >= time + RowMarks.lifetime - RowMarks.step {
      end = ends[last].end
      ends[last].ids.append(contentsOf: rows.keys)
    } else {
      end = time + RowMarks.lifetime
      ends.append((end, Array(rows.keys)))
    }
    for (id, kind) in rows { kinds[id] = (kinds[id]?.kind.followed(by: kind) ?? kind, end) }
  }

  mutating func fade(at time: ContinuousClock.Instant) {
    while let first = ends.first, first.end <= time {
      for id in first.ids where kinds[id].map({ $0.end <= time }) == true { kinds[id] = nil }
      ends.removeFirst()
    }
  }

  /// Marks nothing if another search, order or view caused the update: nobody changed these rows.
  static func kinds(of update: ListUpdate<Item>) -> [(id: Item.ID, kind: ChangeRow.Kind)] {
    guard !update.isInitial, update.origin != .view, update.old.request == update.new.request else {
      return []
    }
    return update.diff.changes.compactMap { change in
      if case .delete = change { nil } else { (change.item, ChangeRow.Kind(change)) }
    }
  }
}

extension ChangeRow.Kind {
  var ink: Style.Ink {
    switch self {
    case .insert: .inserted
    case .delete: .deleted
    case .move: .moved
    case .update: .changed
    }
  }

  func followed(by next: Self) -> Self {
    [.insert, .move].first { $0 == self || $0 == next } ?? .update
  }
}

/// A pause of the list: what changed since its begin.
struct ListPause {
  private var kinds: [Item.ID: ChangeRow.Kind] = [:]
  private var deleted: Set<Item.ID> = []
  private var order: [Item.ID] = []

  var count: Int { kinds.count + deleted.count }

  /// The rows that changed and are there at the end, with the kinds of their marks.
  var marks: [(id: Item.ID, kind: ChangeRow.Kind)] { order.compactMap { id in kinds[id].map { (id, $0) } } }

  mutating func add(_ report: ListReport) {
    guard let update = report.update else { return }
    for case .delete(let id, _) in update.diff.changes {
      kinds[id] = nil
      deleted.insert(id)
    }
    for (id, kind) in RowMarks.kinds(of: update) {
      // A row that disappeared and came back existed before: it changed.
      let isBack = deleted.remove(id) != nil
      if kinds[id] == nil { order.append(id) }
      kinds[id] = isBack ? .update : kinds[id]?.followed(by: kind) ?? kind
    }
  }
}
