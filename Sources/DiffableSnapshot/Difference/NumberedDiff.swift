/// A difference in numbers of sections and items: deleted ones by their number in the old index, others in the new.
@usableFromInline
struct NumberedDiff: Sendable {
  /// A section's rank and an item's index in it, in one number that orders them.
  @usableFromInline
  struct Spot: Hashable, Comparable, Sendable {
    private var key: UInt64

    @usableFromInline var rank: Int { Int(key >> 32) }
    @usableFromInline var index: Int { Int(UInt32(truncatingIfNeeded: key)) }

    @usableFromInline
    init(rank: Int, index: Int) { key = UInt64(rank) << 32 | UInt64(index) }

    /// Goes to the next index.
    mutating func advance() { key += 1 }

    @usableFromInline
    static func < (a: Spot, b: Spot) -> Bool { a.key < b.key }
  }

  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var item: UInt32
    @usableFromInline var spot: Spot
  }

  /// An item that is in both, at two spots; what kind of change that is depends on the list it stands in.
  @usableFromInline
  struct Pair: Sendable {
    @usableFromInline var item: UInt32
    @usableFromInline var from: Spot
    @usableFromInline var to: Spot

    @usableFromInline
    init(item: UInt32, from: Spot, to: Spot) {
      self.item = item
      self.from = from
      self.to = to
    }
  }

  @usableFromInline
  struct SectionPair: Sendable {
    @usableFromInline var section: UInt32
    @usableFromInline var from: Int
    @usableFromInline var to: Int

    @usableFromInline
    init(section: UInt32, from: Int, to: Int) {
      self.section = section
      self.from = from
      self.to = to
    }
  }

  /// In the old order.
  @usableFromInline var deletedSections: [(section: UInt32, from: Int)] = []
  /// In the new order.
  @usableFromInline var insertedSections: [(section: UInt32, to: Int)] = []
  /// In the new order.
  @usableFromInline var movedSections: [SectionPair] = []
  /// In the old order.
  @usableFromInline var deletes: [Entry] = []
  /// In the new order.
  @usableFromInline var inserts: [Entry] = []
  /// In the new order.
  @usableFromInline var moves: [Pair] = []

  @usableFromInline
  init() {}

  mutating func sort() {
    insertedSections.sort { $0.to < $1.to }
    movedSections.sort { $0.to < $1.to }
    deletedSections.sort { $0.from < $1.from }
    deletes.sortUnlessSorted { $0.spot < $1.spot }
    inserts.sortUnlessSorted { $0.spot < $1.spot }
    moves.sortUnlessSorted { $0.to < $1.to }
  }
}

/// What identifiers tell about the numbers of two indexes, which know none.
@usableFromInline
struct Matching {
  /// Whether an old and a new number stand for the same item.
  let isSameItem: (UInt32, UInt32) -> Bool
  /// How many old items from a place on are, one by one, the new ones from a place on.
  let commonCount: ([UInt32], Int, [UInt32], Int) -> Int
  /// The new number of an old item.
  let newItem: (UInt32) -> UInt32?
  /// The new number of an old section.
  let newSection: (UInt32) -> UInt32?

  @usableFromInline
  init(
    isSameItem: @escaping (UInt32, UInt32) -> Bool, commonCount: @escaping ([UInt32], Int, [UInt32], Int) -> Int,
    newItem: @escaping (UInt32) -> UInt32?, newSection: @escaping (UInt32) -> UInt32?
  ) {
    self.isSameItem = isSameItem
    self.commonCount = commonCount
    self.newItem = newItem
    self.newSection = newSection
  }
}

extension NumberedDiff {
  /// Between any two indexes, with as few moves as can be.
  @usableFromInline
  static func full(from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching) -> NumberedDiff {
    ItemDiffer.difference(from: old, to: new, matching)
  }

  /// Between two indexes of which only the items given differ; `mayMove` are the sections that may move besides theirs.
  @usableFromInline
  static func touched(
    from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching, touched: [TouchedDiffer.Touched], mayMove: Set<UInt32>
  ) -> NumberedDiff {
    TouchedDiffer.difference(from: old, to: new, matching, touched: touched, mayMove: mayMove)
  }

  /// The ranks of sections that items come from, in order.
  @usableFromInline
  func sourceRanks(_ updates: [Pair]) -> [Int] {
    var ranks: [Int] = []
    for delete in deletes where ranks.last != delete.spot.rank { ranks.append(delete.spot.rank) }
    for pair in moves where ranks.last != pair.from.rank { ranks.append(pair.from.rank) }
    for pair in updates where ranks.last != pair.from.rank { ranks.append(pair.from.rank) }
    return Self.distinct(ranks)
  }

  /// The ranks of sections that items go to, in order.
  @usableFromInline
  func targetRanks(_ updates: [Pair]) -> [Int] {
    var ranks: [Int] = []
    for insert in inserts where ranks.last != insert.spot.rank { ranks.append(insert.spot.rank) }
    for pair in moves where ranks.last != pair.to.rank { ranks.append(pair.to.rank) }
    for pair in updates where ranks.last != pair.to.rank { ranks.append(pair.to.rank) }
    return Self.distinct(ranks)
  }

  private static func distinct(_ ranks: [Int]) -> [Int] {
    var distinct: [Int] = []
    for rank in ranks.sorted() where distinct.last != rank { distinct.append(rank) }
    return distinct
  }
}

extension ItemLocation {
  @usableFromInline var spot: NumberedDiff.Spot { NumberedDiff.Spot(rank: rank(.shown), index: index(.shown)) }
}

extension Array {
  /// Sorts; most lists are in order when they are found.
  mutating func sortUnlessSorted(by precedes: (Element, Element) -> Bool) {
    for place in indices.dropFirst() where !precedes(self[place - 1], self[place]) { return sort(by: precedes) }
  }
}
