import Synchronization

/// The folded texts of the items of some rows, so that a search at each key reads bytes in order
/// and does not unpack values.
///
/// An item that changes gets a new text at the end. Its old text stays until the corpus is made again.
///
/// Invariant: each row has a slot, that of the text of its item.
struct SearchCorpus {
  /// The number of added texts up to which no corpus is stale.
  static let minAddedCount = 1_024
  /// Lists with larger texts are searched item by item.
  static let maxSize = 512 << 20

  let searched: SearchedText
  private var segments: [SearchSegment]
  /// The slot of each row, by the row's number in the list.
  private var slots: [Slot]
  /// The number of texts that were added since the corpus was made; as many at most are old.
  private var addedCount = 0
  var lastUse = ContinuousClock.now

  /// The position of a text: the number of its segment and its place there.
  fileprivate struct Slot {
    static let none = Slot(segment: 0, place: 0)
    private let number: UInt32

    init(segment: Int, place: Int) { number = UInt32(segment * SearchSegment.limit + place) }

    var segment: Int { Int(number) / SearchSegment.limit }
    var place: Int { Int(number) % SearchSegment.limit }
  }

  /// Makes the corpus of some rows on several threads; nil if the texts are too large. O(n).
  init?(
    of rows: Snapshot<SectionID, Item.ID>, hasOccurrences: Bool, _ state: StoreState,
    _ searched: SearchedText,
    maxSize: Int = SearchCorpus.maxSize
  ) {
    self.searched = searched
    var ids: [Item.ID] = []
    ids.reserveCapacity(rows.numberOfAllItems)
    var known: [Item.ID: Slot] = [:]
    var slots = [Slot](repeating: .none, count: rows.itemNumberLimit)
    rows.forEachItem(includingHidden: true) { number, id in
      let next = Slot(segment: ids.count / SearchSegment.limit, place: ids.count % SearchSegment.limit)
      if hasOccurrences, let slot = known.updateValue(next, forKey: id.item) {
        known[id.item] = slot
        slots[number] = slot
        return
      }
      slots[number] = next
      ids.append(hasOccurrences ? id.item : id)
    }
    self.slots = slots
    let size = TextSize()
    let texts = ids
    let limit = SearchSegment.limit
    segments = ParallelWork.map(ids.count, by: limit) { range in
      var segment = SearchSegment()
      var text = FoldedText()
      for id in texts[range] {
        if size.bytes.load(ordering: .relaxed) > maxSize { break }
        text.reset()
        if let item = state.items[id] { searched.append(state.fields(of: item), to: &text) }
        segment.append(text)
      }
      segment.shrink()
      size.bytes.wrappingAdd(segment.size, ordering: .relaxed)
      return segment
    }
    if size.bytes.load(ordering: .relaxed) > maxSize { return nil }
  }

  /// The size of the texts so far, which the threads that make them add up.
  private final class TextSize: Sendable {
    let bytes = Atomic(0)
  }

  var isStale: Bool { addedCount > SearchCorpus.minAddedCount && addedCount > slots.count / 2 }

  /// The number of rows that a thread tests at once; a multiple of 64.
  private static let rowsAtOnce = 4_096

  /// Returns the rows among some whose texts pass a test. `makeTest` is called for each of several threads.
  func rows(
    among asked: RowSet, where makeTest: @escaping @Sendable () -> (UnsafeRawBufferPointer) -> Bool
  ) -> RowSet {
    let found = ParallelWork.map(asked.limit, by: SearchCorpus.rowsAtOnce) { range in
      let test = makeTest()
      var found = RowSet(limit: range.count)
      forEachText(of: asked, in: range) { row, text in
        if test(text) { found.insert(row - range.lowerBound) }
      }
      return found
    }
    return RowSet(joining: found)
  }

  /// Returns the ranks of rows by their numbers; 0 for those that are not asked.
  func ranks(by ranking: SearchRanking, of asked: RowSet) -> [Int] {
    let ranks = ParallelWork.map(asked.limit, by: SearchCorpus.rowsAtOnce) { range in
      let ranking = ranking.copy
      var ranks = [Int](repeating: 0, count: range.count)
      forEachText(of: asked, in: range) { ranks[$0 - range.lowerBound] = ranking.rank(inFolded: $1) }
      return ranks
    }
    return Array(ranks.joined())
  }

  /// Calls `body` with the rows in a range that are asked, and their texts.
  private func forEachText(
    of asked: RowSet, in range: Range<Int>, _ body: (Int, UnsafeRawBufferPointer) -> Void
  ) {
    let rows = asked.numbers(in: range)
    var index = 0
    while index < rows.count {
      let segment = slots[rows[index]].segment
      segments[segment].withTexts { text in
        while index < rows.count, slots[rows[index]].segment == segment {
          body(rows[index], text(slots[rows[index]].place))
          index += 1
        }
      }
    }
  }

  mutating func append(_ texts: StepTexts, _ number: Int, rows: some Sequence<Int>) {
    if segments.last?.isFull ?? true { segments.append(SearchSegment()) }
    let segment = segments.count - 1
    let slot = Slot(segment: segment, place: segments[segment].count)
    texts.append(number, to: &segments[segment])
    for row in rows {
      while slots.count <= row { slots.append(.none) }
      slots[row] = slot
    }
    addedCount += 1
  }
}

/// The folded texts of some items, end to end in one block.
///
/// The number of an item's text in its segment is its place.
struct SearchSegment {
  static let limit = 4_096

  fileprivate var bytes: [UInt8] = []
  private var ends: [Int] = []

  var count: Int { ends.count }
  var size: Int { bytes.count }
  var isFull: Bool { count >= SearchSegment.limit }

  /// Appends the text of an item. Its place is the number of texts before it.
  mutating func append(_ text: borrowing FoldedText) {
    text.withBytes { bytes.append(contentsOf: $0) }
    ends.append(bytes.count)
  }

  mutating func append(_ other: SearchSegment, _ place: Int) {
    bytes.append(contentsOf: other.bytes[other.range(of: place)])
    ends.append(bytes.count)
  }

  fileprivate func range(of place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  func contains(_ words: [FoldedPattern], _ place: Int) -> Bool {
    let range = range(of: place)
    return bytes.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[range])
      return words.allSatisfy { $0.isFound(inFolded: text) }
    }
  }

  mutating func shrink() {
    bytes = bytes.withUnsafeBytes { Array($0) }
    ends = ends.withUnsafeBufferPointer { Array($0) }
  }

  /// Passes a function that returns the text at a place.
  fileprivate func withTexts(_ body: ((Int) -> UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { bytes in
      ends.withUnsafeBufferPointer { ends in
        body { UnsafeRawBufferPointer(rebasing: bytes[($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0]]) }
      }
    }
  }
}

/// A set of the numbers of rows, one bit each.
struct RowSet: Hashable {
  /// One more than the highest number that can be in the set.
  let limit: Int
  private var words: [UInt64]

  init(limit: Int) {
    self.limit = limit
    words = [UInt64](repeating: 0, count: (limit + UInt64.bitWidth - 1) / UInt64.bitWidth)
  }

  /// Makes the set of the shown rows.
  init(shownIn rows: Snapshot<SectionID, Item.ID>, limit: Int) {
    self.init(limit: limit)
    words.withUnsafeMutableBufferPointer { words in
      rows.forEachShownNumber { words[$0 / UInt64.bitWidth] |= 1 << UInt64($0 % UInt64.bitWidth) }
    }
  }

  /// Joins sets of consecutive numbers. The limits of all but the last one are multiples of 64.
  init(joining parts: [RowSet]) {
    limit = parts.reduce(0) { $0 + $1.limit }
    words = parts.flatMap(\.words)
  }

  func contains(_ row: Int) -> Bool {
    words[row / UInt64.bitWidth] >> UInt64(row % UInt64.bitWidth) & 1 == 1
  }

  mutating func insert(_ row: Int) {
    words[row / UInt64.bitWidth] |= 1 << UInt64(row % UInt64.bitWidth)
  }

  /// Combines two sets with the same limit word by word.
  func combined(with other: RowSet, by combine: (UInt64, UInt64) -> UInt64) -> RowSet {
    var combined = self
    for index in words.indices { combined.words[index] = combine(words[index], other.words[index]) }
    return combined
  }

  func union(_ other: RowSet) -> RowSet { combined(with: other, by: |) }

  func subtracting(_ other: RowSet) -> RowSet { combined(with: other) { $0 & ~$1 } }

  /// Returns the numbers in a range that begins at a multiple of 64.
  func numbers(in range: Range<Int>) -> [Int] {
    var numbers: [Int] = []
    let first = range.lowerBound / UInt64.bitWidth
    for index in first..<(range.upperBound + UInt64.bitWidth - 1) / UInt64.bitWidth {
      var rest = words[index]
      while rest != 0 {
        numbers.append(index * UInt64.bitWidth + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return numbers
  }
}
