import Printing
import Store

/// The last change of an item in the list. It keeps both versions: what changed is only compared
/// when somebody looks at it, so that recording costs little in a burst of changes.
struct RecentChange {
  let kind: ChangeRow.Kind
  private let old: Item?
  private let new: Item?

  init(_ change: SnapshotDiff<SectionID, Item.ID>.ItemChange, in update: ListUpdate<Item>) {
    let id = change.item
    kind = ChangeRow.Kind(change)
    old = change.from == nil ? nil : update.old[id: id]
    new = change.to == nil ? nil : update.new[id: id]
  }

  /// Notes are changes in words (`rating: 8 → 9`). Lines are those that changed in a text of several lines,
  /// from 0; nil if the complete value counts as changed.
  typealias Details = (
    notes: [String], moreNotes: Int, fields: [(path: FieldPath, lines: [Range<Int>]?)]
  )

  private static let limits = (notes: 12, fields: 200, width: 200)

  /// The changed fields; none if one of the versions is missing. Linear in the item.
  var details: Details {
    guard let old, let new else { return ([], 0, []) }
    let changes = old.changes(to: new)
    let found = FieldNote.notes(on: changes, to: new, showing: [])
    let notes = found.prefix(RecentChange.limits.notes).map { $0.text(limit: RecentChange.limits.width) }
    let fields = changes.pointers.prefix(RecentChange.limits.fields).compactMap { pointer in
      (try? FieldPath(parsing: pointer)).map {
        (path: $0, lines: RecentChange.lines(from: old.value(at: $0), to: new.value(at: $0)))
      }
    }
    return (notes, found.count - notes.count, fields)
  }

  private static let maxSize = 256 << 10

  /// Returns the lines of `new`, from 0, that are not in `old` at this place: a superset of those
  /// of the shortest difference. Nil if one of them is not a string of several lines. Linear.
  static func lines(from old: Value?, to new: Value?) -> [Range<Int>]? {
    guard case .string(let old) = old, case .string(let new) = new else { return nil }
    guard old.utf8.count <= maxSize, new.utf8.count <= maxSize, new.utf8.contains(0x0A) else { return nil }
    var before = old.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Substring.init)[...]
    var after = new.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Substring.init)[...]
    while areEqual(before.first, after.first) {
      before = before.dropFirst()
      after = after.dropFirst()
    }
    while areEqual(before.last, after.last) {
      before = before.dropLast()
      after = after.dropLast()
    }
    // Lines that only moved are not marked.
    let kept = Set(before.map { Array($0.utf8) })
    var ranges: [Range<Int>] = []
    for index in after.indices where !kept.contains(Array(after[index].utf8)) {
      if let last = ranges.last, last.upperBound == index {
        ranges[ranges.count - 1] = last.lowerBound..<index + 1
      } else {
        ranges.append(index..<index + 1)
      }
    }
    return ranges
  }

  private static func areEqual(_ a: Substring?, _ b: Substring?) -> Bool {
    guard let a, let b else { return false }
    return a.utf8.elementsEqual(b.utf8)
  }
}

struct RecentChanges {
  private var changes: [Item.ID: (change: RecentChange, number: Int)] = [:]
  /// In the order of the changes. An item that changed again is in it several times; its last place counts.
  private var order: [(id: Item.ID, number: Int)] = []
  private var next = 0

  static let limit = 200

  subscript(id: Item.ID) -> RecentChange? { changes[id.item]?.change }

  mutating func record(_ update: ListUpdate<Item>) {
    guard update.origin != .view else { return }
    for change in update.diff.changes.prefix(RecentChanges.limit) {
      let id = change.item.item
      next += 1
      changes[id] = (RecentChange(change, in: update), next)
      order.append((id, next))
    }
    guard order.count > RecentChanges.limit else { return }
    for entry in order.prefix(order.count - RecentChanges.limit)
    where changes[entry.id]?.number == entry.number {
      changes[entry.id] = nil
    }
    order.removeFirst(order.count - RecentChanges.limit)
  }
}
