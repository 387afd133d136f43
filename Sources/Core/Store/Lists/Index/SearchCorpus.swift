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

  /// Returns the rows whose items contain all words. Rows that are not `asked` are in it or not.
  func matches(of words: [FoldedPattern], asking asked: AskedItems, in view: Snapshot<SectionID, Item.ID>)
    -> Matches
  {
    var sets = Array(repeating: asked == .all ? PlaceSet.all : PlaceSet(), count: segments.count)
    if asked != .all {
      view.forEachShownNumber { number in sets[slots[number].segment].insert(slots[number].place) }
      if asked == .hidden { for segment in sets.indices { sets[segment] = sets[segment].inverted } }
    }
    let found = ParallelWork.map(segments.count, by: 1) { [segments, sets] range in
      segments[range.lowerBound].places(containing: words, among: sets[range.lowerBound])
    }
    return Matches(found: found, slots: slots)
  }

  struct Matches {
    fileprivate let found: [PlaceSet]
    fileprivate let slots: [Slot]

    func contain(_ row: Int) -> Bool {
      let slot = slots[row]
      return found[slot.segment].contains(slot.place)
    }
  }

  /// Returns the ranks of the rows that a list shows, by the rows' numbers.
  func ranks(by ranking: SearchRanking, in view: Snapshot<SectionID, Item.ID>) -> Ranks {
    var sets = Array(repeating: PlaceSet(), count: segments.count)
    view.forEachShownNumber { number in sets[slots[number].segment].insert(slots[number].place) }
    let ranks = ParallelWork.map(segments.count, by: 1) { [segments, sets] range in
      segments[range.lowerBound].ranks(by: ranking, among: sets[range.lowerBound])
    }
    return Ranks(ranks: ranks, slots: slots)
  }

  struct Ranks {
    fileprivate let ranks: [[Int]]
    fileprivate let slots: [Slot]

    subscript(row: Int) -> Int { ranks[slots[row].segment][slots[row].place] }
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
/// The number of an item's text in its segment is its place. A set of places is a `PlaceSet`.
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

extension SearchSegment {
  /// Returns the ranks of texts by their places; 0 for those that are not asked.
  fileprivate func ranks(by ranking: SearchRanking, among asked: PlaceSet) -> [Int] {
    var ranks = [Int](repeating: 0, count: count)
    let ranking = ranking.copy
    bytes.withUnsafeBytes { bytes in
      asked.forEach(below: count) { place in
        ranks[place] = ranking.rank(inFolded: UnsafeRawBufferPointer(rebasing: bytes[range(of: place)]))
      }
    }
    return ranks
  }
}

/// A set of places in a segment, one bit each.
struct PlaceSet: Hashable {
  private var words = [UInt64](repeating: 0, count: SearchSegment.limit / UInt64.bitWidth)

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

  var inverted: PlaceSet {
    var inverted = self
    for index in words.indices { inverted.words[index] = ~words[index] }
    return inverted
  }

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
