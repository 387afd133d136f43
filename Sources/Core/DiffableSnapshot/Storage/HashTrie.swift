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

  private(set) var root = Bucket()

  @usableFromInline
  init() {}

  @inlinable static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

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
}

extension HashTrie.Bucket {
  func first(tag: UInt32, shift: Int, where matches: (UInt32) -> Bool) -> UInt32? {
    withUnsafePointer(to: self) { top in
      var bucket = top
      var shift = shift
      while !bucket.pointee.buckets.isEmpty {
        bucket = bucket.pointee.buckets.address(of: Self.slot(tag, shift))
        shift += HashTrie.fanBits
      }
      for place in 0..<bucket.pointee.entries.count {
        let entry = bucket.pointee.entries.address(of: place).pointee
        let number = UInt32(truncatingIfNeeded: entry)
        if UInt32(truncatingIfNeeded: entry >> 32) == tag, matches(number) { return number }
      }
      return nil
    }
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

  static func slot(_ tag: UInt32, _ shift: Int) -> Int {
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

extension HashTrie {
  /// Builds a trie of the numbers 0, 1, 2, … with these tags at once, by dividing them into buckets level
  /// by level. O(n). `firstRepeated` is set to the lowest number whose identifier belongs to a lower
  /// number, too. `isSame` compares the identifiers of numbers with equal tags.
  @usableFromInline
  init(of tags: [UInt32], firstRepeated: inout UInt32?, isSame: (UInt32, UInt32) -> Bool) {
    var entries = tags.enumerated().map { UInt64($0.element) << 32 | UInt64($0.offset) }
    var spare = entries
    root = entries.withUnsafeMutableBufferPointer { entries in
      spare.withUnsafeMutableBufferPointer { spare in
        Bucket(entries, spare, shift: 0, &firstRepeated, isSame)
      }
    }
  }
}

extension HashTrie.Bucket {
  /// Makes the bucket of some entries. Both buffers have the same size, and both are overwritten.
  fileprivate init(
    _ entries: UnsafeMutableBufferPointer<UInt64>, _ spare: UnsafeMutableBufferPointer<UInt64>, shift: Int,
    _ firstRepeated: inout UInt32?, _ isSame: (UInt32, UInt32) -> Bool
  ) {
    if entries.count <= HashTrie.bucketLimit || shift >= HashTrie.hashBits {
      Self.findRepeated(entries, &firstRepeated, isSame)
      self.entries = Array(entries)
      return
    }
    var starts = [Int](repeating: 0, count: HashTrie.fan + 1)
    for entry in entries { starts[Self.slot(UInt32(entry >> 32), shift) + 1] += 1 }
    for slot in 0..<HashTrie.fan { starts[slot + 1] += starts[slot] }
    var next = starts
    for entry in entries {
      let slot = Self.slot(UInt32(entry >> 32), shift)
      spare[next[slot]] = entry
      next[slot] += 1
    }
    buckets.reserveCapacity(HashTrie.fan)
    for slot in 0..<HashTrie.fan {
      let part = starts[slot]..<starts[slot + 1]
      buckets.append(
        Self(
          .init(rebasing: spare[part]), .init(rebasing: entries[part]), shift: shift + HashTrie.fanBits,
          &firstRepeated, isSame))
    }
  }

  /// Looks for repeated identifiers in a bucket, whose numbers ascend.
  private static func findRepeated(
    _ entries: UnsafeMutableBufferPointer<UInt64>, _ firstRepeated: inout UInt32?,
    _ isSame: (UInt32, UInt32) -> Bool
  ) {
    // One bit for each part of the tag that the buckets do not divide by. A bit that is not set
    // yet excludes equal tags.
    var seen: UInt64 = 0
    for (place, entry) in entries.enumerated() {
      let bit: UInt64 = 1 << (entry >> 58)
      if seen & bit != 0 {
        for earlier in entries[..<place] where earlier >> 32 == entry >> 32 {
          let number = UInt32(truncatingIfNeeded: entry)
          if number < firstRepeated ?? .max, isSame(UInt32(truncatingIfNeeded: earlier), number) {
            firstRepeated = number
          }
        }
      }
      seen |= bit
    }
  }
}

extension HashTrie {
  /// Calls `body` with each pair of a number of this trie and one of another trie whose tags are
  /// equal. Visits both tries in one pass.
  func forEachPair(with other: HashTrie, _ body: (UInt32, UInt32) -> Void) {
    withUnsafePointer(to: root) { own in
      withUnsafePointer(to: other.root) { other in own.forEachPair(with: other, shift: 0, body) }
    }
  }
}

extension UnsafePointer<HashTrie.Bucket> {
  fileprivate func forEachPair(with other: Self, shift: Int, _ body: (UInt32, UInt32) -> Void) {
    switch (pointee.buckets.isEmpty, other.pointee.buckets.isEmpty) {
    case (false, false):
      for slot in 0..<HashTrie.fan {
        pointee.buckets.address(of: slot).forEachPair(
          with: other.pointee.buckets.address(of: slot), shift: shift + HashTrie.fanBits, body)
      }
    case (true, false):
      pointee.forEachPair(below: other, shift: shift, body)
    case (false, true):
      other.pointee.forEachPair(below: self, shift: shift) { body($1, $0) }
    case (true, true):
      pointee.forEachPair(with: other, body)
    }
  }
}

extension HashTrie.Bucket {
  /// Looks up each entry below another bucket.
  fileprivate func forEachPair(below other: UnsafePointer<Self>, shift: Int, _ body: (UInt32, UInt32) -> Void)
  {
    for entry in entries {
      let tag = UInt32(truncatingIfNeeded: entry >> 32)
      _ = other.pointee.first(tag: tag, shift: shift) { number in
        body(UInt32(truncatingIfNeeded: entry), number)
        return false
      }
    }
  }

  /// Compares the entries with those of a bucket at the same place.
  fileprivate func forEachPair(with other: UnsafePointer<Self>, _ body: (UInt32, UInt32) -> Void) {
    let others = other.pointee.entries
    // The others are found by a part of the tag that the buckets don't use: the first place plus
    // one, and after each place the next one plus one.
    var first = InlineArray<64, UInt8>(repeating: 0)
    var next = InlineArray<64, UInt8>(repeating: 0)
    for (place, other) in others.prefix(64).enumerated() {
      let part = Int(other >> 58)
      next[place] = first[part]
      first[part] = UInt8(place + 1)
    }
    for entry in entries {
      var place = Int(first[Int(entry >> 58)])
      while place > 0 {
        let other = others[place - 1]
        if (other ^ entry) >> 32 == 0 {
          body(UInt32(truncatingIfNeeded: entry), UInt32(truncatingIfNeeded: other))
        }
        place = Int(next[place - 1])
      }
      // Only buckets of identifiers with equal hashes are so large.
      for other in others.dropFirst(64) where (other ^ entry) >> 32 == 0 {
        body(UInt32(truncatingIfNeeded: entry), UInt32(truncatingIfNeeded: other))
      }
    }
  }
}
