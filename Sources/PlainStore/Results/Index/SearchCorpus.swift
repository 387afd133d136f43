import DiffableSnapshot
import HashTreeCollections
import PlainText
import Synchronization

/// The folded texts of a list's items, so that a search at each key reads bytes in order and does
/// not unpack values.
///
/// An item that changes gets a new text at the end. Its old text stays until the corpus is made
/// again.
///
/// Invariants: each row of the list has a slot, that of the text of its item. `shown` has the slots
/// of the shown rows, besides those of old texts.
struct SearchCorpus: Sendable {
  /// Smaller lists are searched item by item.
  static let minItems = 1_024
  /// Lists with larger texts are searched item by item.
  static let maxSize = 512 << 20

  /// The part of an item that the texts have.
  let searched: SearchedText
  private var segments: [SearchSegment]
  /// The slots of the shown rows, by segment.
  private var shown: [PlaceSet]
  /// The slot of each row, by the row's number in the list.
  private var slots: [Slot]
  /// The number of texts that were added since the corpus was made; as many at most are old.
  private var addedCount = 0
  /// The time of the last search.
  private(set) var lastUse = ContinuousClock.now

  /// The position of a text: the number of its segment and its place there.
  private struct Slot {
    static let none = Slot(segment: 0, place: 0)
    private let number: UInt32

    init(segment: Int, place: Int) { number = UInt32(segment * SearchSegment.limit + place) }

    var segment: Int { Int(number) / SearchSegment.limit }
    var place: Int { Int(number) % SearchSegment.limit }
  }

  /// Makes the corpus of a list. All rows count as shown. O(n) on several threads.
  ///
  /// - Parameter hasOccurrences: True if an item can have several rows.
  /// - Returns: Nil if the texts are too large.
  init?(
    of rows: Snapshot<SectionID, Item.ID>, hasOccurrences: Bool, _ items: ItemTable, _ searched: SearchedText,
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
    let (texts, limit) = (ids, SearchSegment.limit)
    segments = ParallelWork.map(ids.count, by: limit) { range in
      var segment = SearchSegment()
      var text = FoldedText()
      for id in texts[range] {
        if size.bytes.load(ordering: .relaxed) > maxSize { break }
        text.reset()
        if let item = items[id] { searched.append(item, to: &text) }
        segment.append(text)
      }
      segment.shrink()
      size.bytes.wrappingAdd(segment.size, ordering: .relaxed)
      return segment
    }
    if size.bytes.load(ordering: .relaxed) > maxSize { return nil }
    shown = Array(repeating: .all, count: segments.count)
  }

  /// The size of the texts so far, which the threads that make them add up.
  private final class TextSize: Sendable {
    let bytes = Atomic(0)
  }

  /// True if so many texts are old that the corpus should be made again.
  var isStale: Bool { addedCount > SearchCorpus.minItems && addedCount > slots.count / 2 }

  /// Returns true if the row with a number is shown.
  func isShown(_ row: Int) -> Bool {
    let slot = slots[row]
    return shown[slot.segment].contains(slot.place)
  }

  /// Hides or shows the row with a number, and every other row of its item.
  mutating func setShown(_ isShown: Bool, _ row: Int) {
    let slot = slots[row]
    if isShown { shown[slot.segment].insert(slot.place) } else { shown[slot.segment].remove(slot.place) }
  }

  /// Shows the rows whose items contain all words, and hides the others.
  ///
  /// - Parameter asked: The rows that are tested. Others stay as they are.
  mutating func search(_ words: [FoldedPattern], asking asked: AskedItems) {
    lastUse = .now
    let (segments, old) = (segments, shown)
    shown = ParallelWork.map(segments.count, by: 1) { range in
      let number = range.lowerBound
      switch asked {
      case .all: return segments[number].places(containing: words, among: .all)
      case .shown: return segments[number].places(containing: words, among: old[number])
      case .hidden:
        var places = segments[number].places(containing: words, among: old[number].inverted)
        places.formUnion(old[number])
        return places
      }
    }
  }

  /// Shows all rows.
  mutating func showAll() {
    shown = Array(repeating: .all, count: segments.count)
  }

  /// Sets the text of an item that is new or was read again.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - rows: The numbers of all rows of the item.
  ///   - isShown: True if its rows are shown.
  mutating func update(_ item: Item, rows: [Int], isShown: Bool) {
    var text = FoldedText()
    searched.append(item, to: &text)
    if segments.last?.isFull ?? true {
      segments.append(SearchSegment())
      shown.append(.all)
    }
    let segment = segments.count - 1
    let slot = Slot(segment: segment, place: segments[segment].count)
    segments[segment].append(text)
    for row in rows {
      while slots.count <= row { slots.append(.none) }
      slots[row] = slot
    }
    if isShown { shown[segment].insert(slot.place) } else { shown[segment].remove(slot.place) }
    addedCount += 1
  }
}
