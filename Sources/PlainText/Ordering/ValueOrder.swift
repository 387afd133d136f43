/// The one order of values, for sorting and for comparing.
///
/// Missing and null, then booleans, numbers (`.nan` first), dates by the moment, strings, lists by their elements, maps by their keys and values.
/// Strings go the way people sort: case and accents folded, runs of digits by value, and where that leaves a tie, by code points.
/// `SortKeyBuilder` makes bytes in the same order.
package enum ValueOrder {
  /// Negative, zero or positive, as `a` comes before `b`, with it, or after it. `exact` compares strings by code points alone.
  package static func compare(_ a: Value?, _ b: Value?, exact: Bool = false) -> Int {
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

  /// Two numbers by their value. Two doubles that are finite compare as their shortest texts do.
  static func compare(_ a: Number, _ b: Number) -> Int {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): compare(a, b)
    case (.double(let a), .double(let b)) where a.isFinite && b.isFinite: compare(a, b)
    default: compare(ExactNumber(a), ExactNumber(b))
    }
  }

  /// Two strings the way people sort; zero only where they are the same bytes.
  package static func compare(_ a: String, _ b: String) -> Int {
    let order = compareNatural(Folding.all.folded(a), Folding.all.folded(b))
    return order == 0 ? compareBytes(a, b) : order
  }

  /// Bytes that were folded: runs of digits by value, everything else byte by byte.
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

  /// The digits from `index` on without leading zeros, but at least one; `index` moves behind them.
  static func digitRun(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    var start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    while start < index - 1, bytes[start] == UInt8(ascii: "0") { start += 1 }
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
    case nil, .null: 0
    case .bool: 1
    case .number: 2
    case .date: 3
    case .string: 4
    case .list: 5
    case .map: 6
    }
  }

  private static func compare<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }

  private static func compareBytes(_ a: String, _ b: String) -> Int { compareBytes(a.utf8, b.utf8) }

  private static func compareBytes(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }
}

extension Fields {
  /// By the bytes of the keys, since maps are equal whatever the order of their keys.
  var sortedByKey: [(key: String, value: Value)] {
    pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
