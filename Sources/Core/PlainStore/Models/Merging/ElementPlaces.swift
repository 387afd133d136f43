import Values

/// The positions in a file's list of the elements of the decoded list.
///
/// Usually they have the same positions. A type may also decode a set, skip elements, or decode
/// other values than those of the file. Then they are found by what each element alone decodes to,
/// or by their values.
struct ElementPlaces {
  /// The position in the file of each decoded element.
  let places: [Int]
  /// The other positions, in order.
  let others: [Int]

  /// True if the decoded elements have another order than those of the file, as in a set.
  var isReordered: Bool { zip(places, places.dropFirst()).contains { $0 > $1 } }

  private static let maxComparisons = 1 << 20
  /// Decoding an element alone costs as much as decoding the item.
  private static let maxDecodedAlone = 256

  /// Finds the elements. Returns nil if one cannot be found.
  ///
  /// - Parameters:
  ///   - base: The elements as the decoded list encodes them.
  ///   - full: The elements of the file.
  ///   - alone: Returns what the type decodes and encodes if the list has only this element; nil if
  ///     that is unknown.
  init?(of base: [Value], in full: [Value], alone: (Value) -> [Value]?) {
    let different =
      base.count == full.count ? base.indices.filter { !ElementPlaces.isSame(base[$0], full[$0]) } : []
    if base.count != full.count || !different.isEmpty,
      let known = ElementPlaces(of: base, decodedFrom: full, alone)
    {
      self = known
      return
    }
    if base.count == full.count {
      let isAffordable = different.count * different.count <= ElementPlaces.maxComparisons
      // Values may be decoded to others, as some URLs are; but if they are found elsewhere, the
      // type has its own order.
      let isReordered =
        isAffordable
        && different.contains { index in different.contains { ElementPlaces.isSame(base[index], full[$0]) } }
      if !isReordered {
        places = Array(base.indices)
        others = []
        return
      }
    }
    guard base.count * full.count <= ElementPlaces.maxComparisons else { return nil }
    var free = Array(full.indices)
    var found: [Int] = []
    for value in base {
      guard let index = free.firstIndex(where: { ElementPlaces.isSame(value, full[$0]) }) else { return nil }
      found.append(free.remove(at: index))
    }
    places = found
    others = free
  }

  /// Finds the elements by what each element of the file decodes to; nil if that does not explain
  /// the decoded list.
  private init?(of base: [Value], decodedFrom full: [Value], _ alone: (Value) -> [Value]?) {
    guard full.count <= ElementPlaces.maxDecodedAlone else { return nil }
    var known: [Value: [Int]] = [:]
    for index in full.indices.reversed() {
      guard let values = alone(full[index]), values.count <= 1 else { return nil }
      for value in values { known[value, default: []].append(index) }
    }
    var found: [Int] = []
    for value in base {
      guard let index = known[value]?.popLast() else { return nil }
      found.append(index)
    }
    places = found
    others = full.indices.filter(Set(full.indices).subtracting(found).contains)
  }

  /// Returns true if an encoded value is the one of the file: it may lack fields that the type does
  /// not know, and have defaults that the file lacks.
  private static func isSame(_ base: Value, _ full: Value) -> Bool {
    switch (base, full) {
    case (.map(let base), .map(let full)):
      var keys = FieldIndex(full)
      var common = 0
      for (place, field) in base.enumerated() {
        guard let index = keys.place(of: field.key, near: place) else { continue }
        if !isSame(field.value, full[index].value) { return false }
        common += 1
      }
      return common > 0 || base.isEmpty
    case (.list(let base), .list(let full)):
      return base.count == full.count && zip(base, full).allSatisfy { isSame($0, $1) }
    case (.number(let base), .number(let full)): return base.hasSameValue(as: full)
    case (.date(let base), .date(let full)):
      return base.seconds == full.seconds && abs(base.nanoseconds - full.nanoseconds) < 1_000
    case (.string(let base), .date(let full)): return base.hasSameBytes(as: full.text)
    default: return base == full
    }
  }
}
