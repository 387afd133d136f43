package import Values

extension Value {
  /// Returns true if `other` is how JSON for other programs shows this value: in any order of keys,
  /// a date as a string, `.inf` as ".inf", and a number also as programs print it that do not keep
  /// its text.
  ///
  /// - Parameter trustsNumbers: False if the line cannot say which strings are numbers, because it
  ///   marks them by the places of elements that have moved.
  package func isListed(as other: Value, trustsNumbers: Bool = true) -> Bool {
    switch (self, other) {
    case (.list(let own), .list(let others)):
      return own.count == others.count
        && zip(own, others).allSatisfy { $0.isListed(as: $1, trustsNumbers: trustsNumbers) }
    case (.map(let own), .map(let others)):
      guard own.count == others.count else { return false }
      var places = FieldIndex(others)
      return own.enumerated().allSatisfy { place, pair in
        places.place(of: pair.key, near: place).map {
          pair.value.isListed(as: others[$0].value, trustsNumbers: trustsNumbers)
        } ?? false
      }
    case (.list, _), (.map, _), (_, .list), (_, .map): return false
    case (.string(let own), .string(let other)): return own.hasSameBytes(as: other)
    // A line marks strings that are numbers.
    case (.string, .number(let number)) where !number.isFinite && trustsNumbers: return false
    case (.number(let own), .number(let other)) where own.isFinite && other.isFinite:
      return own.isRewritten(as: other)
    default: return JSONWriter.text(of: self).hasSameBytes(as: JSONWriter.text(of: other))
    }
  }
}

/// The normalized text of a value, by which elements of lists are matched.
///
/// Two values have the same text if one `isListed` as the other; the reverse does not hold.
struct ListedText: Hashable {
  private let bytes: [UInt8]

  init(_ value: Value) {
    var writer = JSONWriter()
    writer.write(value.withPlainNumbers)
    bytes = writer.bytes
  }
}

extension Value {
  /// The value with the nearest `Double` for each number, and with sorted keys.
  fileprivate var withPlainNumbers: Value {
    switch self {
    case .list(let elements): return .list(elements.map(\.withPlainNumbers))
    case .map(let fields):
      let pairs = fields.map { ($0.key, $0.value.withPlainNumbers) }
      return .map(Fields(unique: pairs.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
    case .number(let number) where number.isFinite:
      let value = number.doubleValue
      let finite =
        value.isInfinite ? (value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude) : value
      return .number(Number.double(finite == 0 ? 0 : finite))
    default: return self
    }
  }
}
