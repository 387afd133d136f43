import DiffableSnapshot
import PlainStore
import PlainText
import Sinks

/// The last change of an item in the list: what the detail pane says about it.
struct RecentChange: Sendable {
  /// The kind of the change.
  let kind: ChangeRow.Kind
  /// The changes of fields in words: `rating: 8 → 9`.
  let notes: [String]
  /// The number of further changed fields.
  let moreNotes: Int
  /// The paths of the changed fields, and of a text of several lines the lines that changed.
  let fields: [ChangedField]

  /// A field that changed.
  struct ChangedField: Sendable, Hashable {
    /// The path of the field.
    var path: FieldPath
    /// The changed lines of the text, from 0; nil if the complete value counts as changed.
    var lines: [Range<Int>]?
  }

  /// The maximum number of notes, and the width of a value in them.
  private static let limits = (notes: 12, width: 200, fields: 200)

  /// Makes the record of a change. Linear in the changed values.
  init(_ change: SnapshotDiff<SectionID, Item.ID>.ItemChange, in update: ResultsUpdate) {
    let id = change.item
    kind = ChangeRow(change, in: update, titleLimit: 40).kind
    let changes = change.to == nil ? nil : update.fieldChanges(of: id)
    let found = changes == nil ? [] : FieldNote.notes(on: id, in: update)
    notes = found.prefix(RecentChange.limits.notes).map { $0.text(limit: RecentChange.limits.width) }
    moreNotes = max(found.count - notes.count, 0)
    let item = update.new[id: id]
    fields = (changes?.pointers ?? []).prefix(RecentChange.limits.fields).compactMap { pointer in
      guard let path = FieldPath(pointer), let first = path.keys.first else { return nil }
      let old = changes?.before[first]?[path.keys.dropFirst()]
      return ChangedField(path: path, lines: ChangedLines.between(old, item?.value(at: path)))
    }
  }
}

extension Value {
  /// Returns the value below keys of maps.
  fileprivate subscript(keys: ArraySlice<String>) -> Value? {
    keys.reduce(self) { value, key in
      guard case .map(let fields) = value else { return nil }
      return fields[key]
    }
  }
}

/// Compares the lines of two texts.
enum ChangedLines {
  /// The size of the largest text whose lines are compared.
  private static let maxSize = 256 << 10

  /// Returns the lines of `new`, from 0, that are not in `old` at this place: a superset of those
  /// of the shortest difference. Nil if one of them is no text of several lines. Linear.
  static func between(_ old: Value?, _ new: Value?) -> [Range<Int>]? {
    guard case .string(let old) = old, case .string(let new) = new else { return nil }
    guard old.utf8.count <= maxSize, new.utf8.count <= maxSize, new.utf8.contains(0x0A) else { return nil }
    var before = old.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Substring.init)[...]
    var after = new.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Substring.init)[...]
    while let (a, b) = both(before.first, after.first), a.utf8.elementsEqual(b.utf8) { (before, after) = (before.dropFirst(), after.dropFirst()) }
    while let (a, b) = both(before.last, after.last), a.utf8.elementsEqual(b.utf8) { (before, after) = (before.dropLast(), after.dropLast()) }
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

  private static func both(_ a: Substring?, _ b: Substring?) -> (Substring, Substring)? {
    guard let a, let b else { return nil }
    return (a, b)
  }
}

/// The last changes of the items that changed last.
struct RecentChanges: Sendable {
  private var changes: [Item.ID: (change: RecentChange, number: Int)] = [:]
  /// The items in the order of their changes. An item that changed again is in it several times;
  /// only its last place counts.
  private var order: [(id: Item.ID, number: Int)] = []
  private var next = 0

  /// The maximum number of items.
  static let limit = 200

  /// Returns the last change of an item.
  subscript(id: Item.ID) -> RecentChange? { changes[id.item]?.change }

  /// Records an update. Changes of the request are no changes of items.
  mutating func record(_ update: ResultsUpdate) {
    guard update.origin != .view else { return }
    for change in update.itemChanges.prefix(RecentChanges.limit) {
      let id = change.item.item
      next += 1
      changes[id] = (RecentChange(change, in: update), next)
      order.append((id, next))
    }
    guard order.count > RecentChanges.limit else { return }
    for entry in order.prefix(order.count - RecentChanges.limit) where changes[entry.id]?.number == entry.number {
      changes[entry.id] = nil
    }
    order.removeFirst(order.count - RecentChanges.limit)
  }
}
