/// The open items of two lists, and which of them belong together.
@usableFromInline
struct ItemMatches {
  @usableFromInline let old: [UInt32]
  @usableFromInline let new: [UInt32]
  /// The new offset of each old item, or -1 if it has none yet.
  private(set) var targets: [Int32]
  /// The old offset of each new item, or -1 if it has none yet.
  private(set) var origins: [Int32]
  private(set) var count = 0

  private let limits: (old: Int, new: Int)
  private lazy var oldOffsets = NumberMap(old, below: limits.old)
  private lazy var newOffsets = NumberMap(new, below: limits.new)

  /// Each of `limits` is greater than each item of its side.
  init(old: [UInt32], new: [UInt32], limits: (old: Int, new: Int)) {
    self.old = old
    self.new = new
    self.limits = limits
    targets = [Int32](repeating: -1, count: old.count)
    origins = [Int32](repeating: -1, count: new.count)
  }

  /// Records that consecutive old items are the same as consecutive new items.
  @usableFromInline
  mutating func match(old oldOffset: Int, new newOffset: Int, count: Int = 1) {
    for step in 0..<count {
      targets[oldOffset + step] = Int32(newOffset + step)
      origins[newOffset + step] = Int32(oldOffset + step)
    }
    self.count += count
  }

  @usableFromInline
  mutating func newOffset(of number: UInt32) -> Int? { newOffsets.offset(of: number) }

  @usableFromInline
  mutating func oldOffset(of number: UInt32) -> Int? { oldOffsets.offset(of: number) }

  @usableFromInline var openOldOffsets: [Int] { targets.indices.filter { targets[$0] < 0 } }

  @usableFromInline var openNewOffsets: [Int] { origins.indices.filter { origins[$0] < 0 } }

  @usableFromInline var hasFewerNew: Bool { new.count < old.count }

  /// Finds the pairs that are still missing. A few items are looked up. For many, one pass over both tables
  /// finds the candidates, whose hashes agree.
  mutating func matchRest(_ matching: Matching) {
    let least = min(old.count, new.count) - count
    if least == 0 { return }
    if least * 16 < matching.itemCount { return matching.lookUp(&self) }
    let oldOffsets = Self.open(old, targets, below: limits.old)
    let newOffsets = Self.open(new, origins, below: limits.new)
    var candidates = [Int32](repeating: -1, count: old.count)
    matching.oldItems.forEachPair(with: matching.newItems) { oldNumber, newNumber in
      let oldOffset = Int(oldOffsets[Int(oldNumber)])
      let newOffset = newOffsets[Int(newNumber)]
      if oldOffset >= 0, newOffset >= 0 { candidates[oldOffset] = newOffset }
    }
    matching.confirm(&self, candidates)
  }

  /// Returns the offset of each number without a partner, and -1 for all others.
  private static func open(_ numbers: [UInt32], _ partners: [Int32], below limit: Int) -> [Int32] {
    var offsets = [Int32](repeating: -1, count: limit)
    for (offset, number) in numbers.enumerated() where partners[offset] < 0 {
      offsets[Int(number)] = Int32(offset)
    }
    return offsets
  }
}

/// Matches the numbers of two indexes by their identifiers, which the indexes do not know.
@usableFromInline
struct Matching {
  /// The tables of the identifiers, without their type.
  let oldItems: HashTrie
  let newItems: HashTrie
  let itemCount: Int
  /// Finds the easy pairs of two ranges of old and new items: those that follow each other.
  let align: (inout ItemMatches, Range<Int>, Range<Int>) -> Void
  /// Looks up the items that have no partner yet, on the side that has fewer.
  let lookUp: (inout ItemMatches) -> Void
  /// Records those of the candidates, a new offset or -1 for each old one, that are pairs.
  let confirm: (inout ItemMatches, [Int32]) -> Void
  let newSection: (UInt32) -> UInt32?

  @usableFromInline
  init(
    oldItems: HashTrie, newItems: HashTrie, itemCount: Int,
    align: @escaping (inout ItemMatches, Range<Int>, Range<Int>) -> Void,
    lookUp: @escaping (inout ItemMatches) -> Void, confirm: @escaping (inout ItemMatches, [Int32]) -> Void,
    newSection: @escaping (UInt32) -> UInt32?
  ) {
    self.oldItems = oldItems
    self.newItems = newItems
    self.itemCount = itemCount
    self.align = align
    self.lookUp = lookUp
    self.confirm = confirm
    self.newSection = newSection
  }
}

/// Finds the offsets of numbers in a list of different numbers.
struct NumberMap {
  // Exactly one of these is used. An enum would retain its array with each search.

  /// A few numbers, which are searched one by one.
  private var few: [UInt32] = []
  /// The offset of each number, or -1.
  private var dense: [Int32] = []
  private var sparse: [UInt32: Int32] = [:]

  /// - Parameter limit: A number that is greater than each of them.
  init(_ numbers: [UInt32], below limit: Int) {
    if numbers.count <= 128 {
      few = numbers
    } else if limit <= numbers.count * 64 {
      dense = [Int32](repeating: -1, count: limit)
      for (offset, number) in numbers.enumerated() { dense[Int(number)] = Int32(offset) }
    } else {
      sparse.reserveCapacity(numbers.count)
      for (offset, number) in numbers.enumerated() { sparse[number] = Int32(offset) }
    }
  }

  func offset(of number: UInt32) -> Int? {
    if !dense.isEmpty {
      guard Int(number) < dense.count, case let offset = Int(dense[Int(number)]), offset >= 0 else {
        return nil
      }
      return offset
    }
    return sparse.isEmpty ? few.firstIndex(of: number) : sparse[number].map { Int($0) }
  }
}
