extension Value {
  /// Returns the value at a path; nil if a step is missing. For a list, a key is that key of each element;
  /// elements without it are skipped.
  public func value(at path: FieldPath) -> Value? { path.finish(value(at: path.leadingKeys[...])) }

  package func value(at keys: ArraySlice<String>) -> Value? {
    guard let key = keys.first else { return self }
    switch self {
    case .map(let fields): return fields[key]?.value(at: keys.dropFirst())
    case .list(let elements): return .list(elements.compactMap { $0.value(at: keys) })
    default: return nil
    }
  }
}

extension PackedValue {
  /// Returns the value at a path; nil if a step is missing. Unpacks only that of the leading keys.
  public func value(at path: FieldPath) -> Value? { value(at: path, limit: .max) }

  /// Returns the beginning of the value at a path, at the cost of that part only; nil if a step is missing.
  ///
  /// After `limit` bytes of text, strings are cut, and lists and maps end; numbers and dates are always
  /// complete. A path with an index or an operator, such as `tags[0]` or `tags.@count`, has no limit.
  public func value(at path: FieldPath, limit: Int) -> Value? {
    var limit = path.isLeading ? max(limit, 0) : .max
    return path.finish(
      bytes.withUnsafeBytes { raw in
        var reader = PackedReader(raw)
        return reader.value(at: path.leadingKeys[...], &limit)
      })
  }

  /// Returns the fields of the map with the beginnings of their values, each limited as in
  /// `value(at:limit:)`; nothing if the value is not a map.
  public func fields(limit: Int) -> Fields {
    bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw)
      return reader.fields(limit: max(limit, 0))
    }
  }
}

extension FieldPath {
  fileprivate var isLeading: Bool { laterSteps.isEmpty && listOperator == nil }

  fileprivate func finish(_ value: Value?) -> Value? {
    if isLeading { return value }
    let operand = laterSteps.reduce(value) { value, step in step.apply(to: value) }
    return listOperator.map { $0.apply(to: operand) } ?? operand
  }
}

extension FieldPath.Step {
  package func apply(to value: Value?) -> Value? {
    switch (self, value) {
    case (.key(let key), let value?): value.value(at: [key])
    case (.index(let index), .list(let elements)): elements.indices.contains(index) ? elements[index] : nil
    case (.index(let index), .map(let fields)): fields[String(index)]
    case (.first, .list(let elements)): elements.first
    case (.last, .list(let elements)): elements.last
    case (.size, let value): .number(.integer(ListOperator.count(value)))
    default: nil
    }
  }
}
