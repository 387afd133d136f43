/// Finds numbers by the hash of their identifier: a trie over 32 bits of hash with buckets as
/// leaves, shared between copies. The caller compares the identifiers.
///
/// Reading and writing cost O(log16 n), as long as hashes differ.
@usableFromInline
struct HashTrie: Sendable {
  @usableFromInline
  struct Bucket: Sendable {
    /// The entries: the hash in the upper half, the number in the lower half.
    @usableFromInline var entries: [UInt64] = []
    /// The child buckets: none, or `HashTrie.fan` of them, and then there are no entries.
    @usableFromInline var buckets: [Bucket] = []
  }

  static let fanBits = 4
  static let fan = 1 << fanBits
  static let bucketLimit = 32
  static let hashBits = 32

  private var root = Bucket()

  @usableFromInline
  init() {}

  static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

  @usableFromInline
  func first(hash: Int, where matches: (UInt32) -> Bool) -> UInt32? {
    root.first(tag: Self.tag(hash), shift: 0, where: matches)
  }

  @usableFromInline
  mutating func insert(_ number: UInt32, hash: Int) {
    root.insert(UInt64(Self.tag(hash)) << 32 | UInt64(number), shift: 0)
  }

  @usableFromInline
  mutating func remove(_ number: UInt32, hash: Int) {
    root.remove(UInt64(Self.tag(hash)) << 32 | UInt64(number), shift: 0)
  }

  /// Returns all numbers, unordered. For checks.
  func numbers() -> [UInt32] {
    var found: [UInt32] = []
    root.collect(into: &found)
    return found
  }
}

extension HashTrie.Bucket {
  func first(tag: UInt32, shift: Int, where matches: (UInt32) -> Bool) -> UInt32? {
    if !buckets.isEmpty {
      return buckets[Self.slot(tag, shift)].first(tag: tag, shift: shift + HashTrie.fanBits, where: matches)
    }
    for entry in entries where UInt32(truncatingIfNeeded: entry >> 32) == tag {
      let number = UInt32(truncatingIfNeeded: entry)
      if matches(number) { return number }
    }
    return nil
  }

  mutating func insert(_ entry: UInt64, shift: Int) {
    if buckets.isEmpty {
      entries.append(entry)
      if entries.count > HashTrie.bucketLimit, shift < HashTrie.hashBits { split(shift) }
    } else {
      buckets[Self.slot(UInt32(entry >> 32), shift)].insert(entry, shift: shift + HashTrie.fanBits)
    }
  }

  mutating func remove(_ entry: UInt64, shift: Int) {
    if buckets.isEmpty {
      if let place = entries.firstIndex(of: entry) { entries.remove(at: place) }
      return
    }
    let slot = Self.slot(UInt32(entry >> 32), shift)
    buckets[slot].remove(entry, shift: shift + HashTrie.fanBits)
    if buckets[slot].buckets.isEmpty, buckets[slot].entries.isEmpty { joinIfSmall() }
  }

  func collect(into found: inout [UInt32]) {
    found += entries.map { UInt32(truncatingIfNeeded: $0) }
    for bucket in buckets { bucket.collect(into: &found) }
  }

  private static func slot(_ tag: UInt32, _ shift: Int) -> Int {
    Int(tag >> UInt32(shift)) & (HashTrie.fan - 1)
  }

  private mutating func split(_ shift: Int) {
    var parts = [HashTrie.Bucket](repeating: HashTrie.Bucket(), count: HashTrie.fan)
    for entry in entries { parts[Self.slot(UInt32(entry >> 32), shift)].entries.append(entry) }
    entries = []
    buckets = parts
  }

  private mutating func joinIfSmall() {
    var total = 0
    for bucket in buckets {
      if !bucket.buckets.isEmpty { return }
      total += bucket.entries.count
    }
    if total > HashTrie.bucketLimit / 2 { return }
    entries = buckets.flatMap(\.entries)
    buckets = []
  }
}
