/// The changes of one item among the fields that a view shows.
package struct FieldChanges: Sendable, Hashable {
  /// JSON Pointers to the changed values. They lead into maps but not into lists. First those of
  /// the new value in its order, then those of deleted values.
  package let pointers: [String]
  /// The old values of the changed top-level fields. A new field has none.
  package let before: Fields

  /// True if no value changed.
  package var isEmpty: Bool { pointers.isEmpty }

  package init(from old: Fields, to new: Fields) {
    var pointers: [String] = []
    var before = Fields()
    FieldChanges.forEachPair(old, new) { key, was, now in
      let count = pointers.count
      FieldChanges.collect(was, now, below: [key], into: &pointers)
      if pointers.count > count, let was { before.append(was, unique: key) }
    }
    self.pointers = pointers
    self.before = before
  }

  /// Compares two versions of an item's packed fields. Only values that differ are unpacked, unless
  /// keys were added, removed or moved.
  init(from old: PackedValue, to new: PackedValue) {
    var pointers = [] as [String]
    var before = Fields()
    let hasSameKeys = FieldChanges.forEachDifference(old, new) { key, was, now in
      let count = pointers.count
      FieldChanges.collect(was, now, below: [key], into: &pointers)
      if pointers.count > count { before.append(was, unique: key) }
    }
    if hasSameKeys {
      self.init(pointers: pointers, before: before)
    } else {
      self.init(from: old.fields, to: new.fields)
    }
  }

  /// Calls `body` for each pair of values with different bytes. Returns false, at any time, if the
  /// values are not maps with the same keys in the same order.
  private static func forEachDifference(
    _ old: PackedValue, _ new: PackedValue, _ body: (String, Value, Value) -> Void
  ) -> Bool {
    if old == new { return true }
    return old.bytes.withUnsafeBytes { old in
      new.bytes.withUnsafeBytes { new in
        var old = PackedReader(old)
        var new = PackedReader(new)
        guard !old.isAtEnd, !new.isAtEnd, case .map(var before) = old.part(),
          case .map(var after) = new.part()
        else { return false }
        while !before.isAtEnd, !after.isAtEnd {
          let key = after.textBytes()
          guard before.textBytes().hasSameBytes(as: key) else { return false }
          let was = before.valueBytes()
          let now = after.valueBytes()
          if was.hasSameBytes(as: now) { continue }
          var wasReader = PackedReader(was)
          var nowReader = PackedReader(now)
          body(String(decoding: key, as: UTF8.self), wasReader.value(), nowReader.value())
        }
        return before.isAtEnd && after.isAtEnd
      }
    }
  }

  package func keeping(_ pointers: Set<String>) -> FieldChanges {
    let kept = self.pointers.filter(pointers.contains)
    let names = Set(kept.compactMap { (try? FieldPath(parsing: $0))?.keys.first })
    return FieldChanges(pointers: kept, before: Fields(unique: before.filter { names.contains($0.key) }))
  }

  private init(pointers: [String], before: Fields) {
    self.pointers = pointers
    self.before = before
  }

  private static func forEachPair(_ old: Fields, _ new: Fields, _ body: (String, Value?, Value?) -> Void) {
    var oldKeys = FieldIndex(old)
    for (place, pair) in new.enumerated() {
      body(pair.key, oldKeys.place(of: pair.key, near: place).map { old[$0].value }, pair.value)
    }
    var newKeys = FieldIndex(new)
    for (place, pair) in old.enumerated() where newKeys.place(of: pair.key, near: place) == nil {
      body(pair.key, pair.value, nil)
    }
  }

  private static func collect(
    _ old: Value?, _ new: Value?, below keys: [String], into pointers: inout [String]
  ) {
    if case .map(let old) = old, case .map(let new) = new {
      forEachPair(old, new) { key, was, now in collect(was, now, below: keys + [key], into: &pointers) }
    } else if old != new {
      pointers.append(FieldPath.pointer(to: keys))
    }
  }
}

extension Item {
  /// Returns the fields that a view shows, as an object. The JSON Pointer of each path leads to its
  /// value; pseudo-fields are at the top.
  ///
  /// Elements of a list are shown in a map: `rgb[0],rgb[2]` is `{"rgb":{"0":…,"2":…}}`. If one path
  /// leads to a value and another one into it, the complete value is shown.
  ///
  /// Without `paths` it shows all fields of the file. `limit` is the number of bytes of text after which
  /// each value ends, see `PackedValue.value(at:limit:)`.
  package func projected(_ paths: [FieldPath], limit: Int = .max) -> Fields {
    paths.isEmpty ? fields.fields(limit: limit) : shown(paths, limit).fields
  }

  /// Returns the fields that a view shows, and the places of the values among them that are not
  /// fields of the file at this place.
  ///
  /// The result of an operator, the size or an element of a list, and values of its elements are
  /// shown where a file could have keys of these names: `tags.@count,tags[0]` is
  /// `{"tags":{"@count":2,"0":"x"}}`. `computed` is a map of the same shape, reduced to these
  /// values: `{"tags":{"@count":true,"0":true}}`. It is nil if there are none.
  package func projection(_ paths: [FieldPath]) -> (fields: Fields, computed: Fields?) {
    guard paths.contains(where: { $0.steps.count > 1 }) else { return (projected(paths), nil) }
    let shown = shown(paths, .max)
    let computed = shown.computed
    return (shown.fields, computed.isEmpty ? nil : computed)
  }

  /// The maximum number of paths that are searched one by one in the packed fields.
  private static let fewPaths = 16

  /// Returns the changes from this version of an item to a newer one. A moved file counts as a
  /// change of the field `@path`.
  ///
  /// ```swift
  /// let changes = old.changes(to: new)
  /// print(changes.pointers)  // ["/rating"]
  /// ```
  ///
  /// Linear in the fields.
  ///
  /// - Parameter paths: The fields to compare, and pseudo-fields; empty for all fields of the file.
  package func changes(to new: Item, showing paths: [FieldPath] = []) -> FieldChanges {
    changes(showing: paths, to: new, showing: paths)
  }

  /// Compares what one view shows of this version with what another one shows of a newer version.
  func changes(showing old: [FieldPath], to new: Item, showing paths: [FieldPath]) -> FieldChanges {
    let showsAll = old.isEmpty && paths.isEmpty
    if showsAll, path == new.path { return FieldChanges(from: fields, to: new.fields) }
    var before: Fields = [:]
    var after: Fields = [:]
    if !showsAll || fields != new.fields {
      before = projected(old)
      after = new.projected(paths)
    }
    if path != new.path {
      before[PseudoField.path.rawValue] = PseudoField.path.value(of: self)
      after[PseudoField.path.rawValue] = PseudoField.path.value(of: new)
    }
    return FieldChanges(from: before, to: after)
  }

  private func shown(_ paths: [FieldPath], _ limit: Int) -> ShownFields {
    var shown = ShownFields()
    var table = paths.count > Item.fewPaths && limit == .max ? FieldTable(self) : nil
    for path in paths {
      guard let value = table == nil ? value(at: path, limit: limit) : table?.value(at: path) else {
        continue
      }
      shown.set(ShownFields.Shown(value: value, isComputed: isComputed(path)), at: path.keys[...])
    }
    return shown
  }

  /// Returns true if a path does not lead through maps alone, to a field of the file.
  private func isComputed(_ path: FieldPath) -> Bool {
    guard path.steps.count > 1 else { return false }
    var value = fields.value(at: FieldPath(keys: [path.keys[0]]))
    for step in path.steps.dropFirst() {
      if case .list? = value { return true }
      switch step {
      case .listOperator, .size: return true
      case .key, .index, .first, .last: value = value?[step.token]
      }
    }
    return false
  }
}

extension PackedValue {
  fileprivate var fields: Fields {
    guard case .map(let fields) = value else { return [:] }
    return fields
  }
}

private struct ShownFields {
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
private struct FieldTable {
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
