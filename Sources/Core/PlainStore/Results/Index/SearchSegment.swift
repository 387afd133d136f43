import Values

/// The folded texts of some items, end to end in one block.
///
/// The number of an item's text in its segment is its place. A set of places is a `PlaceSet`.
struct SearchSegment: Sendable {
  /// The maximum number of texts.
  static let limit = 4_096

  private var bytes: [UInt8] = []
  /// The end of each text.
  private var ends: [Int] = []

  /// The number of texts.
  var count: Int { ends.count }
  /// The number of bytes of all texts.
  var size: Int { bytes.count }
  /// True if there is no room for another text.
  var isFull: Bool { count >= SearchSegment.limit }

  /// Appends the text of an item. Its place is the number of texts before it.
  mutating func append(_ text: borrowing FoldedText) {
    text.withBytes { bytes.append(contentsOf: $0) }
    ends.append(bytes.count)
  }

  /// Appends a text of another segment.
  mutating func append(_ other: SearchSegment, _ place: Int) {
    bytes.append(contentsOf: other.bytes[other.range(of: place)])
    ends.append(bytes.count)
  }

  private func range(of place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  /// Returns true if the text at a place contains all words.
  func contains(_ words: [FoldedPattern], _ place: Int) -> Bool {
    let range = range(of: place)
    return bytes.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[range])
      return words.allSatisfy { $0.isFound(inFolded: text) }
    }
  }

  /// Gives back the memory that was reserved for more texts.
  mutating func shrink() {
    bytes = bytes.withUnsafeBytes { Array($0) }
    ends = ends.withUnsafeBufferPointer { Array($0) }
  }

  /// Returns those of the asked places whose texts contain all words.
  func places(containing words: [FoldedPattern], among asked: PlaceSet) -> PlaceSet {
    var found = PlaceSet()
    let words = words.map(\.copy)
    bytes.withUnsafeBytes { bytes in
      ends.withUnsafeBufferPointer { ends in
        asked.forEach(below: ends.count) { place in
          let text = UnsafeRawBufferPointer(rebasing: bytes[(place == 0 ? 0 : ends[place - 1])..<ends[place]])
          if words.allSatisfy({ $0.isFound(inFolded: text) }) { found.insert(place) }
        }
      }
    }
    return found
  }
}

/// A set of places in a segment, one bit each.
struct PlaceSet: Hashable, Sendable {
  private var words = [UInt64](repeating: 0, count: SearchSegment.limit / UInt64.bitWidth)

  /// All places.
  static let all: PlaceSet = {
    var set = PlaceSet()
    for index in set.words.indices { set.words[index] = ~0 }
    return set
  }()

  func contains(_ place: Int) -> Bool {
    words[place / UInt64.bitWidth] >> UInt64(place % UInt64.bitWidth) & 1 == 1
  }

  mutating func insert(_ place: Int) {
    words[place / UInt64.bitWidth] |= 1 << UInt64(place % UInt64.bitWidth)
  }

  mutating func remove(_ place: Int) {
    words[place / UInt64.bitWidth] &= ~(1 << UInt64(place % UInt64.bitWidth))
  }

  mutating func formUnion(_ other: PlaceSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// The places that are not in the set.
  var inverted: PlaceSet {
    var inverted = self
    for index in words.indices { inverted.words[index] = ~words[index] }
    return inverted
  }

  /// Calls `body` with each place below `limit`, in order.
  func forEach(below limit: Int, _ body: (Int) -> Void) {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        let place = index * UInt64.bitWidth + rest.trailingZeroBitCount
        if place >= limit { return }
        body(place)
        rest &= rest - 1
      }
    }
  }
}
