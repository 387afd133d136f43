import Query
import Values

/// The values of several paths as one object.
struct ShownFields {
  struct Shown {
    let value: Value
    /// True if it is not a field of the file at this place.
    let isComputed: Bool
  }

  private enum Content {
    case value(Shown)
    /// The values of paths that lead into this value.
    case parts(ShownFields)
  }

  private var entries: [(key: String, content: Content)] = []
  /// The position of each key; empty while there are only a few keys.
  private var places: [ExactString: Int] = [:]

  private static let fewEntries = 16

  /// Adds a value at a path. A value at a shorter path already contains it and stays; a value at a
  /// shorter path that is added later replaces its parts.
  mutating func set(_ value: Shown, at keys: ArraySlice<String>) {
    guard let key = keys.first else { return }
    let isEnd = keys.count == 1
    guard let index = place(of: key) else {
      var parts = ShownFields()
      parts.set(value, at: keys.dropFirst())
      append(key, isEnd ? .value(value) : .parts(parts))
      return
    }
    guard case .parts(var parts) = entries[index].content else { return }
    // Without the old content, changing the parts copies nothing.
    entries[index].content = .value(value)
    if isEnd { return }
    parts.set(value, at: keys.dropFirst())
    entries[index].content = .parts(parts)
  }

  private func place(of key: String) -> Int? {
    places.isEmpty ? entries.firstIndex { $0.key.hasSameBytes(as: key) } : places[ExactString(key)]
  }

  private mutating func append(_ key: String, _ content: Content) {
    entries.append((key, content))
    if !places.isEmpty {
      places[ExactString(key)] = entries.count - 1
    } else if entries.count > ShownFields.fewEntries {
      for (index, entry) in entries.enumerated() { places[ExactString(entry.key)] = index }
    }
  }

  var fields: Fields {
    Fields(
      unique: entries.map { key, content in
        switch content {
        case .value(let shown): (key, shown.value)
        case .parts(let parts): (key, .map(parts.fields))
        }
      })
  }

  /// A map of the same shape that has `true` for each computed value.
  var computed: Fields {
    Fields(
      unique: entries.compactMap { key, content in
        switch content {
        case .value(let shown): return shown.isComputed ? (key, .bool(true)) : nil
        case .parts(let parts):
          let places = parts.computed
          return places.isEmpty ? nil : (key, .map(places))
        }
      })
  }
}

/// The fields of one item, unpacked once, for many paths.
struct FieldTable {
  private let item: Item
  private let fields: Fields
  private var index: FieldIndex
  /// The position of the last path's first key; the next path often begins after it.
  private var last = -1

  init(_ item: Item) {
    self.item = item
    if case .map(let map) = item.fields.value { fields = map } else { fields = [:] }
    index = FieldIndex(fields)
  }

  /// Returns the value at a path, as `Item.value(at:)` does.
  mutating func value(at path: FieldPath) -> Value? {
    guard let key = path.leadingKeys.first, PseudoField(path) == nil else { return item.value(at: path) }
    guard let place = index.place(of: key, near: last + 1) else {
      // An operator has a result even for nothing.
      return path.isComputed ? item.value(at: path) : nil
    }
    last = place
    return Value.map(Fields(unique: [fields[place]])).value(at: path)
  }
}
