extension Value {
  /// The value at a path; nil if a step is missing.
  ///
  /// A key of a list is that key of each of its elements; those without it are left out.
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
  /// The value at a path. Unpacks only the value of the keys that the path begins with.
  public func value(at path: FieldPath) -> Value? {
    path.finish(
      bytes.withUnsafeBytes { raw in
        var reader = PackedReader(raw)
        return reader.value(at: path.leadingKeys[...])
      })
  }
}

extension FieldPath {
  /// The value at this path, given that of its leading keys.
  fileprivate func finish(_ value: Value?) -> Value? {
    if laterSteps.isEmpty, listOperator == nil { return value }
    let operand = laterSteps.reduce(value) { value, step in step.apply(to: value) }
    return listOperator.map { $0.apply(to: operand) } ?? operand
  }
}

extension FieldPath.Step {
  fileprivate func apply(to value: Value?) -> Value? {
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
