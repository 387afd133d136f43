/// The canonical decompositions of Unicode, and their inverse.
///
/// The standard library compares strings by them, but has no public function for either. Those of
/// Foundation need its ICU data, 34 MB in a program.
extension Unicode.Scalar {
  private static let mappings = mappings(of: canonicalDecompositions)

  /// The full decomposition of the scalar. A Hangul syllable remains.
  var canonicalDecomposition: [Unicode.Scalar] {
    guard let mapping = Unicode.Scalar.mappings.parts[self] else { return [self] }
    // Only the first part can be decomposed further.
    return mapping.first.canonicalDecomposition + (mapping.second.map { [$0] } ?? [])
  }

  static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    mappings.whole[pair(first, second)]
      ?? composeHangul(first.value, second.value).flatMap(Unicode.Scalar.init)
  }

  private static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt64 {
    UInt64(first.value) << 32 | UInt64(second.value)
  }

  /// A first scalar ends in `:`; a mapping that is not composed again ends in `!`.
  private static func mappings(of table: String) -> (
    parts: [Unicode.Scalar: (first: Unicode.Scalar, second: Unicode.Scalar?)], whole: [UInt64: Unicode.Scalar]
  ) {
    var parts: [Unicode.Scalar: (first: Unicode.Scalar, second: Unicode.Scalar?)] = [:]
    var whole: [UInt64: Unicode.Scalar] = [:]
    var next: UInt32 = 0
    for word in table.split(separator: " ") {
      let fields = word.split(separator: ":")
      if fields.count == 2 { next = UInt32(fields[0], radix: 16) ?? 0 }
      let isExcluded = word.last == "!"
      let scalars = (fields.last ?? "").split { $0 == "+" || $0 == "!" }.compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      if let scalar = Unicode.Scalar(next), let first = scalars.first {
        let second = scalars.dropFirst().first
        parts[scalar] = (first, second)
        if let second, !isExcluded { whole[pair(first, second)] = scalar }
      }
      next += 1
    }
    return (parts, whole)
  }
}

extension String {
  /// The string with accents composed (Unicode's normalization form C).
  package var precomposed: String {
    var output = UnicodeScalarView()
    var starter: Unicode.Scalar?
    var marks: [Mark] = []
    for scalar in unicodeScalars.lazy.flatMap(\.canonicalDecomposition) {
      let order = scalar.properties.canonicalCombiningClass
      if order != .notReordered {
        marks.append((order, marks.count, scalar))
      } else if marks.isEmpty, let first = starter, let whole = Unicode.Scalar.composed(first, scalar) {
        starter = whole
      } else {
        output.append(starter, marks)
        starter = scalar
        marks = []
      }
    }
    output.append(starter, marks)
    return String(output)
  }
}

/// A combining mark and the number of marks before it: marks of one class keep their order.
private typealias Mark = (order: Unicode.CanonicalCombiningClass, place: Int, scalar: Unicode.Scalar)

extension String.UnicodeScalarView {
  fileprivate mutating func append(_ starter: Unicode.Scalar?, _ marks: [Mark]) {
    var starter = starter
    var rest: [Mark] = []
    for mark in marks.sorted(by: { ($0.order, $0.place) < ($1.order, $1.place) }) {
      // A mark is blocked by one of its class that was not composed.
      if rest.last?.order != mark.order, let first = starter,
        let whole = Unicode.Scalar.composed(first, mark.scalar)
      {
        starter = whole
      } else {
        rest.append(mark)
      }
    }
    if let starter { append(starter) }
    append(contentsOf: rest.lazy.map(\.scalar))
  }
}

/// Hangul, composed from conjoining jamo, which some systems write in file names (Unicode 3.12).
extension Unicode.Scalar {
  private static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
  private static let leads: Range<UInt32> = 0x1100..<0x1113
  private static let vowels: Range<UInt32> = 0x1161..<0x1176
  private static let trails: Range<UInt32> = 0x11A8..<0x11C3

  /// Composes `scalar` with the jamo at `index`, moving past them; `scalar` if they form no syllable.
  static func composeHangul(_ scalar: UInt32, with bytes: UnsafeRawBufferPointer, at index: inout Int)
    -> UInt32
  {
    var whole = scalar
    while leads.contains(whole) || syllables.contains(whole), index < bytes.count, bytes[index] == 0xE1,
      let (next, length) = bytes.scalar(at: index), let longer = composeHangul(whole, next)
    {
      whole = longer
      index += length
    }
    return whole
  }

  static func composeHangul(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if leads.contains(first), vowels.contains(second) {
      return syllables.lowerBound + ((first - leads.lowerBound) * 21 + second - vowels.lowerBound) * 28
    }
    guard syllables.contains(first), (first - syllables.lowerBound) % 28 == 0, trails.contains(second) else {
      return nil
    }
    return first + (second - trails.lowerBound) + 1
  }
}
