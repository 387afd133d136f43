import PlainStore
import PlainText

/// What a change says of one field: `rating: 8 → 9`, `nick added: Danny`, `phone removed: 555`, or, of a new item, `name: Cleo`.
enum FieldNote: Sendable, Hashable {
  case changed(name: String, from: Value, to: Value)
  case added(name: String, Value)
  case removed(name: String, Value)
  case shown(name: String, Value)

  /// The notes on an item that stands in both snapshots.
  static func notes(on id: Item.ID, in update: ResultsUpdate) -> [FieldNote] {
    guard let changes = update.fieldChanges(of: id), !changes.isEmpty, let item = update.new.item(id) else { return [] }
    let fields = item.projected(update.new.request.fields)
    return changes.pointers.compactMap { pointer in
      guard let keys = FieldPath(pointer)?.keys, let first = keys.first else { return nil }
      let isPath = keys == [PseudoField.path.rawValue]
      let old = changes.before[first]?.value(at: keys.dropFirst())
      let new = isPath ? PseudoField.path.value(of: item) : fields[first]?.value(at: keys.dropFirst())
      return FieldNote(name: FieldPath(keys: keys).description, from: old, to: new)
    }
  }

  /// The notes on an item that came into the list; a field that is null says nothing.
  static func notes(onNew id: Item.ID, in update: ResultsUpdate) -> [FieldNote] {
    guard let item = update.new.item(id) else { return [] }
    return item.projected(update.new.request.fields).compactMap { key, value in
      value == .null ? nil : .shown(name: FieldPath(keys: [key]).description, value)
    }
  }

  private init?(name: String, from old: Value?, to new: Value?) {
    switch (old, new) {
    case (let old?, let new?): self = .changed(name: name, from: old, to: new)
    case (nil, let new?): self = .added(name: name, new)
    case (let old?, nil): self = .removed(name: name, old)
    case (nil, nil): return nil
    }
  }

  /// On one line, safe to show, about `limit` columns for each value and for the name.
  func text(limit: Int) -> String {
    switch self {
    case .changed(let name, let old, let new):
      let difference = TextDifference(old, new, limit: limit)
      return "\(safe(name, limit)): \(safe(difference.old, limit)) → \(safe(difference.new, limit))"
    case .added(let name, let value): return "\(safe(name, limit)) added: \(safe(value.changeText, limit))"
    case .removed(let name, let value): return "\(safe(name, limit)) removed: \(safe(value.changeText, limit))"
    case .shown(let name, let value): return "\(safe(name, limit)): \(safe(value.changeText, limit))"
    }
  }

  private func safe(_ text: String, _ limit: Int) -> String { DisplayText.safe(text, limit: limit) }
}
