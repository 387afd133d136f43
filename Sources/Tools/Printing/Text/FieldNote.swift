package import Store

/// The text about one field of a change: `rating: 8 → 9`, `nick added: Danny`,
/// `phone removed: 555`, or for a new item `name: Cleo`.
package enum FieldNote: Sendable, Hashable {
  case changed(name: String, from: Value, to: Value)
  case added(name: String, Value)
  case removed(name: String, Value)
  case shown(name: String, Value)

  /// Returns the notes on an item that is in both snapshots.
  package static func notes(on id: Item.ID, in update: ListUpdate<Item>) -> [FieldNote] {
    guard let changes = update.fieldChanges(of: id), !changes.isEmpty, let item = update.new.item(id) else {
      return []
    }
    return notes(on: changes, to: item, showing: update.new.request.fields)
  }

  /// Returns the notes on the changes that led to `item`.
  ///
  /// - Parameter paths: The fields that were compared; empty for all.
  package static func notes(on changes: FieldChanges, to item: Item, showing paths: [FieldPath])
    -> [FieldNote]
  {
    let fields = item.projected(paths)
    return changes.pointers.compactMap { pointer in
      guard let keys = (try? FieldPath(parsing: pointer))?.keys, let first = keys.first else { return nil }
      let isPath = keys == [PseudoField.path.rawValue]
      let old = changes.before[first]?.value(at: keys.dropFirst())
      let new = isPath ? PseudoField.path.value(of: item) : fields[first]?.value(at: keys.dropFirst())
      // A path of the view keeps the view's spelling.
      let path =
        paths.first { $0.keys.elementsEqual(keys) { $0.hasSameBytes(as: $1) } } ?? FieldPath(keys: keys)
      return FieldNote(name: path.description, from: old, to: new)
    }
  }

  /// The number of bytes of a new value that are read: enough for any line.
  private static let maxBytes = 64 << 10

  /// Returns the notes on a new item, with the beginnings of long values and without null fields.
  package static func notes(onNew id: Item.ID, in update: ListUpdate<Item>) -> [FieldNote] {
    update.new.item(id).map { notes(onNew: $0, showing: update.new.request.fields) } ?? []
  }

  static func notes(onNew item: Item, showing fields: [FieldPath]) -> [FieldNote] {
    item.projected(fields, limit: maxBytes).compactMap { key, value in
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

  /// Returns the text with control characters escaped, and each value cut at about `limit` columns.
  package func text(limit: Int, nameLimit: Int = 40) -> String {
    func value(_ text: String) -> String { DisplayText.safe(text, limit: limit) }
    let name = DisplayText.safe(name, limit: nameLimit)
    switch self {
    case .changed(_, let old, let new):
      let difference = old.difference(to: new, limit: limit)
      return "\(name): \(value(difference.old)) → \(value(difference.new))"
    case .added(_, let new): return "\(name) added: \(value(new.changeText))"
    case .removed(_, let old): return "\(name) removed: \(value(old.changeText))"
    case .shown(_, let new): return "\(name): \(value(new.changeText))"
    }
  }

  /// Returns the text for a line of `room` columns. The values share the width that the name leaves.
  package func text(in room: Int) -> String {
    switch self {
    case .changed(let name, _, _):
      let rest = room - DisplayText.width(of: name, limit: room / 3) - ": ".count - " → ".count
      return text(limit: max(rest / 2, 1), nameLimit: room / 3)
    case .added, .removed, .shown:
      return text(limit: room, nameLimit: room / 3)
    }
  }

  /// The path of the field, as the view spells it. It may contain anything.
  package var name: String {
    switch self {
    case .changed(let name, _, _), .added(let name, _), .removed(let name, _), .shown(let name, _): name
    }
  }
}
