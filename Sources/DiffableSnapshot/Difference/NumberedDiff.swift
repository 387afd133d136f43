/// A difference in numbers of sections and items: deleted ones by their number in the old index, others in the new.
@usableFromInline
struct NumberedDiff: Sendable {
  /// A section's rank and an item's index in it.
  @usableFromInline
  struct Spot: Hashable, Comparable, Sendable {
    @usableFromInline var rank: Int
    @usableFromInline var index: Int

    @usableFromInline
    static func < (a: Spot, b: Spot) -> Bool { a.rank != b.rank ? a.rank < b.rank : a.index < b.index }
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
    deletes.sort { $0.spot < $1.spot }
    inserts.sort { $0.spot < $1.spot }
    moves.sort { $0.to < $1.to }
  }
}

/// What identifiers tell about the numbers of two indexes, which know none.
@usableFromInline
struct Matching {
  /// Whether an old and a new number stand for the same item.
  let isSameItem: (UInt32, UInt32) -> Bool
  /// The new number of an old item.
  let newItem: (UInt32) -> UInt32?
  /// The new number of an old section.
  let newSection: (UInt32) -> UInt32?

  @usableFromInline
  init(
    isSameItem: @escaping (UInt32, UInt32) -> Bool, newItem: @escaping (UInt32) -> UInt32?,
    newSection: @escaping (UInt32) -> UInt32?
  ) {
    self.isSameItem = isSameItem
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
    Self.distinct([deletes.lazy.map(\.spot.rank), moves.lazy.map(\.from.rank), updates.lazy.map(\.from.rank)])
  }

  /// The ranks of sections that items go to, in order.
  @usableFromInline
  func targetRanks(_ updates: [Pair]) -> [Int] {
    Self.distinct([inserts.lazy.map(\.spot.rank), moves.lazy.map(\.to.rank), updates.lazy.map(\.to.rank)])
  }

  private static func distinct(_ lists: [any Sequence<Int>]) -> [Int] {
    var ranks: [Int] = []
    for list in lists {
      for rank in list where ranks.last != rank { ranks.append(rank) }
    }
    ranks.sort()
    var distinct: [Int] = []
    for rank in ranks where distinct.last != rank { distinct.append(rank) }
    return distinct
  }
}

extension ItemLocation {
  @usableFromInline var spot: NumberedDiff.Spot { NumberedDiff.Spot(rank: rank(.shown), index: index(.shown)) }
}
