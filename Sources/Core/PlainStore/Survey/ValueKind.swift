public import Values

/// The kind of a value, as forms and messages name it.
public enum ValueKind: String, Sendable, CaseIterable {
  case string
  case number
  case boolean
  case date
  case list
  case map

  /// The kind of a value; nil for null, which is the value of any field.
  public init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .number: self = .number
    case .date: self = .date
    case .string: self = .string
    case .list: self = .list
    case .map: self = .map
    }
  }

  /// The kind in a sentence, with its article.
  public var phrase: String { self == .boolean ? "true or false" : "a \(rawValue)" }
}

/// The number of values of each kind.
struct KindCounts: Sendable, Hashable {
  private var counts: [ValueKind: Int] = [:]

  /// The number of values.
  var total: Int { counts.values.reduce(0, +) }

  /// The kind of more than half of the values; nil if there is none.
  var majority: ValueKind? {
    let total = total
    return counts.first { $0.value * 2 > total }?.key
  }

  /// The kinds, the most frequent one first.
  var kinds: [ValueKind] {
    ValueKind.allCases.filter { counts[$0] != nil }.enumerated()
      .sorted { (counts[$1.element] ?? 0, $0.offset) < (counts[$0.element] ?? 0, $1.offset) }
      .map(\.element)
  }

  /// Returns the number of values of a kind.
  subscript(kind: ValueKind) -> Int { counts[kind] ?? 0 }

  /// Counts a value; null is not counted.
  mutating func add(_ value: Value) {
    if let kind = ValueKind(value) { counts[kind, default: 0] += 1 }
  }

  /// Removes a value that was counted.
  mutating func remove(_ value: Value) {
    guard let kind = ValueKind(value), let count = counts[kind] else { return }
    counts[kind] = count > 1 ? count - 1 : nil
  }
}
