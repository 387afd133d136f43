package import Store

extension Value {
  /// Returns the value to write for this value of a line. Where the line shows the file's own
  /// value, that one is kept: in a list whose first element was edited, a `.nan` stays a number and
  /// `0.10` keeps its text. Throws an error with the `element` if it is not clear which one it shows.
  package func asWritten(in own: Value) throws(TextEditError) -> Value {
    try asWritten(in: own, trustsNumbers: true, doubts: 0)
  }

  fileprivate func asWritten(in own: Value, trustsNumbers: Bool, doubts: Int) throws(TextEditError)
    -> Value
  {
    if own.isListed(as: self, trustsNumbers: trustsNumbers) { return own }
    switch (own, self) {
    case (.list(let own), .list(let listed)):
      return .list(
        try ListedElements(own: own, listed: listed, trustsNumbers: trustsNumbers).asWritten(doubts: doubts))
    case (.map(let own), .map(let listed)):
      var places = FieldIndex(own)
      var pairs: [(key: String, value: Value)] = []
      for (hint, (key, value)) in listed.enumerated() {
        let written = try places.value(of: key, near: hint).map { own throws(TextEditError) in
          try value.asWritten(in: own, trustsNumbers: trustsNumbers, doubts: doubts)
        }
        pairs.append((key, written ?? value))
      }
      return .map(Fields(unique: pairs))
    default: return self
    }
  }

  /// Returns true if `other` is how JSON for other programs shows this value: in any order of keys,
  /// a date as a string, `.inf` as ".inf", and a number also as programs print it that do not keep
  /// its text. Without `trustsNumbers` the line cannot say which strings are numbers, because it marks
  /// them by the places of elements that have moved.
  package func isListed(as other: Value, trustsNumbers: Bool = true) -> Bool {
    switch (self, other) {
    case (.list(let own), .list(let others)):
      return own.count == others.count
        && zip(own, others).allSatisfy { $0.isListed(as: $1, trustsNumbers: trustsNumbers) }
    case (.map(let own), .map(let others)):
      guard own.count == others.count else { return false }
      var places = FieldIndex(others)
      return own.enumerated().allSatisfy { place, pair in
        places.value(of: pair.key, near: place).map {
          pair.value.isListed(as: $0, trustsNumbers: trustsNumbers)
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

  /// The normalized text by which elements of lists are matched. Two values have the same text if one
  /// `isListed` as the other; the reverse does not hold.
  fileprivate var listedText: [UInt8] {
    var writer = JSONWriter()
    writer.write(withPlainNumbers)
    return writer.bytes
  }

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

/// The elements of an edited list of a line, and the file's elements that they show.
///
/// Elements are matched by their printed text first, then by their places between matched elements, then by
/// their common parts. Different elements can look the same when printed (`.nan` and ".nan", `3.10` and
/// `3.1` after jq). Where that matters, the list is matched from both ends, and both results must agree.
private struct ListedElements {
  let own: [Value]
  let listed: [Value]
  let trustsNumbers: Bool

  /// The maximum number of nested lists whose match is uncertain. Beyond it, nothing is written.
  private static let maxDoubts = 3
  private static let maxComparisons = 1 << 16

  func asWritten(doubts: Int) throws(TextEditError) -> [Value] {
    if let index = onlyEdit {
      var written = own
      written[index] = try value(at: index, of: index, doubts: doubts)
      return written
    }
    let ownTexts = own.map(\.listedText)
    let texts = listed.map(\.listedText)
    let forward = try pairs(own, ownTexts, listed, texts)
    let backward = try pairs(own.reversed(), ownTexts.reversed(), listed.reversed(), texts.reversed())
    var written: [Value] = []
    for index in listed.indices {
      let first = forward[index]
      let last = backward[listed.count - 1 - index].map { own.count - 1 - $0 }
      let value = try value(at: index, of: first, doubts: first == last ? doubts : doubts + 1)
      if first != last, try self.value(at: index, of: last, doubts: doubts + 1) != value {
        throw .ambiguous(listed[index])
      }
      written.append(value)
    }
    return written
  }

  private var onlyEdit: Int? {
    guard own.count == listed.count else { return nil }
    let edited = own.indices.lazy.filter { !own[$0].isListed(as: listed[$0], trustsNumbers: trustsNumbers) }
      .prefix(2)
    return edited.count == 1 ? edited.first : nil
  }

  private func value(at index: Int, of place: Int?, doubts: Int) throws(TextEditError) -> Value {
    guard let place else { return listed[index] }
    guard doubts <= ListedElements.maxDoubts else { throw .ambiguous(listed[index]) }
    return try listed[index].asWritten(
      in: own[place], trustsNumbers: trustsNumbers && place == index, doubts: doubts)
  }

  /// Returns for each listed element the file's element that it shows; nil for a new one.
  private func pairs(
    _ own: [Value], _ ownTexts: [[UInt8]], _ listed: [Value], _ texts: [[UInt8]]
  ) throws(TextEditError) -> [Int?] {
    var pairs = [Int?](repeating: nil, count: listed.count)
    var isFree = [Bool](repeating: true, count: own.count)
    for pair in SequenceAlignment(ownTexts, texts).pairs {
      pairs[pair.second] = pair.first
      isFree[pair.first] = false
    }
    try pairMoved(&pairs, &isFree, own, ownTexts, listed, texts)
    for isMap in [true, false] {
      var places = own.indices.filter { isFree[$0] && own[$0].isCollection(map: isMap) }
      var indices = listed.indices.filter { pairs[$0] == nil && listed[$0].isCollection(map: isMap) }
      guard !places.isEmpty, !indices.isEmpty else { continue }
      if places.count * indices.count <= ListedElements.maxComparisons {
        let ownParts = places.map { own[$0].parts }
        let parts = indices.map { listed[$0].parts }
        nearest(parts, in: ownParts).forEach { pairs[indices[$0.key]] = places[$0.value] }
        let taken = Set(pairs.compactMap { $0 })
        places.removeAll(where: taken.contains)
        indices.removeAll { pairs[$0] != nil }
      }
      for (index, place) in zip(indices, places) { pairs[index] = place }
    }
    return pairs
  }

  /// Matches moved elements by their text. Different elements that look the same when printed must
  /// be distinguished by their numbers.
  private func pairMoved(
    _ pairs: inout [Int?], _ isFree: inout [Bool], _ own: [Value], _ ownTexts: [[UInt8]],
    _ listed: [Value], _ texts: [[UInt8]]
  ) throws(TextEditError) {
    let indices = listed.indices.filter { pairs[$0] == nil }
    guard !indices.isEmpty else { return }
    var variants: [[UInt8]: Set<Value>] = [:]
    for (place, text) in ownTexts.enumerated() { variants[text, default: []].insert(own[place]) }
    var free: [[UInt8]: [Int]] = [:]
    for place in own.indices.reversed() where isFree[place] {
      free[ownTexts[place], default: []].append(place)
    }
    let counts = indices.reduce(into: [[UInt8]: Int]()) { $0[texts[$1], default: 0] += 1 }
    let freeCounts = free.mapValues(\.count)
    for index in indices {
      let text = texts[index]
      guard var places = free.removeValue(forKey: text), let last = places.indices.last,
        let values = variants[text]
      else { continue }
      var chosen = last
      if values.count > 1 {
        let isClear =
          counts[text] == freeCounts[text]
          && !values.contains { $0.nonFinitePlaces != nil }
        guard isClear, let exact = places.lastIndex(where: { own[$0] == listed[index] }) else {
          throw .ambiguous(listed[index])
        }
        chosen = exact
      }
      let place = places.remove(at: chosen)
      free[text] = places
      pairs[index] = place
      isFree[place] = false
    }
  }

  /// Returns, for each element, the free one with the most common parts, if there is one.
  private func nearest(_ parts: [Set<[UInt8]>], in ownParts: [Set<[UInt8]>]) -> [Int: Int] {
    var found: [Int: Int] = [:]
    var free = Array(ownParts.indices)
    for (index, parts) in parts.enumerated() {
      let counts = free.map { ownParts[$0].intersection(parts).count }
      guard let most = counts.max(), most > 0, let place = counts.firstIndex(of: most) else { continue }
      found[index] = free.remove(at: place)
    }
    return found
  }
}

extension Value {
  fileprivate func isCollection(map isMap: Bool) -> Bool {
    switch self {
    case .map: isMap
    case .list: !isMap
    default: false
    }
  }

  fileprivate var parts: Set<[UInt8]> {
    switch self {
    case .map(let fields): Set(fields.map { Value.map([$0.key: $0.value]).listedText })
    case .list(let elements): Set(elements.map(\.listedText))
    default: []
    }
  }
}

extension TextEditError {
  fileprivate static func ambiguous(_ element: Value) -> TextEditError {
    TextEditError(
      .ambiguous, "Several elements of this list look the same, and it is not clear which of them stay.",
      element: element)
  }
}
