/// The order of values, for sorting and for comparisons in predicates.
///
/// Booleans come first, then numbers (`.nan` first), dates by moment, strings, lists by their elements,
/// maps by their keys and values, and missing and null values last. Strings sort as people expect: case and
/// accents are ignored and runs of digits compare as numbers; ties are broken by code points.
///
/// ```swift
/// ValueOrder.compare("note 2", "Note 10") < 0  // true
/// ValueOrder.compare(3, "2") < 0  // true
/// ```
public enum ValueOrder {
  /// Compares two values: negative if `a` comes first, positive if `b` does, 0 if neither does. With `exact`,
  /// strings are compared by their code points alone.
  public static func compare(_ a: Value?, _ b: Value?, exact: Bool = false) -> Int {
    switch (a, b) {
    case (.bool(let a), .bool(let b)): compare(a ? 1 : 0, b ? 1 : 0)
    case (.number(let a), .number(let b)): compare(a, b)
    case (.date(let a), .date(let b)): compare(a, b)
    case (.string(let a), .string(let b)): exact ? compareBytes(a, b) : compare(a, b)
    case (.list(let a), .list(let b)): compare(a, b, exact)
    case (.map(let a), .map(let b)): compare(a, b, exact)
    default: compare(rank(of: a), rank(of: b))
    }
  }

  /// Compares two numbers by value. Finite doubles compare as their shortest texts do.
  static func compare(_ a: Number, _ b: Number) -> Int {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): compare(a, b)
    case (.double(let a), .double(let b)) where a.isFinite && b.isFinite: compare(a, b)
    default: compare(ExactNumber(a), ExactNumber(b))
    }
  }

  /// Compares two strings as people sort them. Returns 0 only for the same bytes.
  package static func compare(_ a: String, _ b: String) -> Int {
    let order = compareNatural(Folding.all.folded(a), Folding.all.folded(b))
    return order == 0 ? compareBytes(a, b) : order
  }

  /// Compares folded bytes: runs of digits as numbers, everything else byte by byte.
  package static func compareNatural(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if isDigit(a[i]), isDigit(b[j]) {
        let runA = digitRun(a, &i)
        let runB = digitRun(b, &j)
        let order = runA.count == runB.count ? compareBytes(runA, runB) : compare(runA.count, runB.count)
        if order != 0 { return order }
      } else if a[i] == b[j] {
        i += 1
        j += 1
      } else {
        return compare(a[i], b[j])
      }
    }
    return compare(a.count - i, b.count - j)
  }

  /// Returns the digits at `index`, moving past them, without leading zeros, but at least one.
  static func digitRun(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    var start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    while start < index - 1, bytes[start] == "0" { start += 1 }
    return bytes[start..<index]
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func compare(_ a: [Value], _ b: [Value], _ exact: Bool) -> Int {
    for (a, b) in zip(a, b) {
      let order = compare(a, b, exact: exact)
      if order != 0 { return order }
    }
    return compare(a.count, b.count)
  }

  private static func compare(_ a: Fields, _ b: Fields, _ exact: Bool) -> Int {
    for (a, b) in zip(a.sortedByKey, b.sortedByKey) {
      let keys = compareBytes(a.key, b.key)
      if keys != 0 { return keys }
      let order = compare(a.value, b.value, exact: exact)
      if order != 0 { return order }
    }
    return compare(a.count, b.count)
  }

  private static func rank(of value: Value?) -> Int {
    switch value {
    case .bool: 0
    case .number: 1
    case .date: 2
    case .string: 3
    case .list: 4
    case .map: 5
    case nil, .null: 6
    }
  }

  private static func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  private static func compareBytes(_ a: String, _ b: String) -> Int { compareBytes(a.utf8, b.utf8) }

  private static func compareBytes(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }
}

extension Fields {
  var sortedByKey: [(key: String, value: Value)] {
    pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
