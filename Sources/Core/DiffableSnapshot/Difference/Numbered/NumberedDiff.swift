/// A difference in terms of the numbers of sections and items. Deleted ones have their number in
/// the old index, all others in the new one.
@usableFromInline
struct NumberedDiff {
  /// A section's rank and an item's index in it, packed into one number that orders them.
  @usableFromInline
  struct Spot: Hashable, Comparable {
    private var key: UInt64

    @usableFromInline var rank: Int { Int(key >> 32) }
    @usableFromInline var index: Int { Int(UInt32(truncatingIfNeeded: key)) }

    @usableFromInline
    init(rank: Int, index: Int) { key = UInt64(rank) << 32 | UInt64(index) }

    mutating func advance() { key += 1 }

    func advanced(by steps: Int) -> Spot { Spot(rank: rank, index: index + steps) }

    @usableFromInline
    static func < (a: Spot, b: Spot) -> Bool { a.key < b.key }
  }

  /// An item in both indexes. The containing list says whether it moved or was updated.
  @usableFromInline typealias ItemPair = (item: UInt32, from: Spot, to: Spot)

  @usableFromInline typealias SectionPair = (section: UInt32, from: Int, to: Int)

  /// In the old order.
  @usableFromInline var deletedSections: [(section: UInt32, from: Int)] = []
  /// In the new order.
  @usableFromInline var insertedSections: [(section: UInt32, to: Int)] = []
  /// In the new order.
  @usableFromInline var movedSections: [SectionPair] = []
  /// In the old order.
  @usableFromInline var deletes: [(item: UInt32, spot: Spot)] = []
  /// In the new order.
  @usableFromInline var inserts: [(item: UInt32, spot: Spot)] = []
  /// In the new order.
  @usableFromInline var moves: [ItemPair] = []

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

  @usableFromInline
  func sourceRanks(_ updates: [ItemPair]) -> [Int] {
    Self.distinct(deletes.map(\.spot.rank) + (moves + updates).map(\.from.rank))
  }

  @usableFromInline
  func targetRanks(_ updates: [ItemPair]) -> [Int] {
    Self.distinct(inserts.map(\.spot.rank) + (moves + updates).map(\.to.rank))
  }

  /// A rank is below the number of sections, so there is no need to sort many.
  private static func distinct(_ ranks: [Int]) -> [Int] {
    let limit = (ranks.max() ?? -1) + 1
    if limit > ranks.count * 8 { return Set(ranks).sorted() }
    var isUsed = [Bool](repeating: false, count: limit)
    for rank in ranks { isUsed[rank] = true }
    return isUsed.indices.filter { isUsed[$0] }
  }
}

extension ItemLocation {
  @usableFromInline var spot: NumberedDiff.Spot {
    NumberedDiff.Spot(rank: rank(.shown), index: index(.shown))
  }
}

extension Array {
  /// Sorts the array unless it is already sorted, which is the common case.
  mutating func sortUnlessSorted(by precedes: (Element, Element) -> Bool) {
    for place in indices.dropFirst() where !precedes(self[place - 1], self[place]) {
      return sort(by: precedes)
    }
  }
}
