import Glibc
import PlainText

/// Items to be sorted, by their numbers. Their keys lie end to end in one block, so that sorting
/// compares bytes, moves numbers and counts no references.
struct KeyedItems: Sendable {
  private struct Entry {
    /// The number of the item.
    let number: Int
    /// The place of the key.
    let start: Int
    let count: Int
    /// The first bytes of the key after those that all keys share. They decide most comparisons.
    var high: UInt64 = 0
    var low: UInt64 = 0
  }

  private var entries: [Entry] = []
  private var keys: [UInt8] = []

  init() {}

  private init(entries: [Entry], keys: [UInt8]) {
    self.entries = entries
    self.keys = keys
  }

  mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    keys.reserveCapacity(count * 32)
  }

  /// Adds an item, whose key is in the builder.
  mutating func append(_ number: Int, _ builder: inout SortKeyBuilder) {
    let start = keys.count
    builder.finish(into: &keys)
    entries.append(Entry(number: number, start: start, count: keys.count - start))
  }

  /// Sorts the items by their keys. O(n log n).
  mutating func sort() {
    keys.withUnsafeBytes { keys in
      let shared = sharedCount(in: keys)
      for index in entries.indices {
        let entry = entries[index]
        let rest = keys[(entry.start + min(shared, entry.count))..<(entry.start + entry.count)]
        entries[index].high = KeyedItems.word(rest)
        entries[index].low = KeyedItems.word(rest.dropFirst(8))
      }
      entries.sort { a, b in
        if a.high != b.high { return a.high < b.high }
        if a.low != b.low { return a.low < b.low }
        return KeyedItems.isBefore(keys[a.start..<a.start + a.count], keys[b.start..<b.start + b.count])
      }
    }
  }

  /// Returns the number of bytes that all keys begin with.
  private func sharedCount(in keys: UnsafeRawBufferPointer) -> Int {
    guard let first = entries.first else { return 0 }
    var shared = first.count
    for entry in entries {
      shared = min(shared, entry.count)
      var equal = 0
      while equal < shared, keys[first.start + equal] == keys[entry.start + equal] { equal += 1 }
      shared = equal
    }
    return shared
  }

  /// Returns the first eight bytes as a number that compares like them. A short key is followed by
  /// zeros, and equal numbers decide nothing.
  private static func word(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: UInt64.self)) }
    var word: UInt64 = 0
    for byte in bytes { word = word << 8 | UInt64(byte) }
    return word << (8 * UInt64(8 - bytes.count))
  }

  private static func isBefore(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Bool {
    let (a, b) = (UnsafeRawBufferPointer(rebasing: a), UnsafeRawBufferPointer(rebasing: b))
    guard let left = a.baseAddress, let right = b.baseAddress else { return a.count < b.count }
    let order = memcmp(left, right, min(a.count, b.count))
    return order == 0 ? a.count < b.count : order < 0
  }

  /// The numbers of the items in their order.
  var numbers: [Int] { entries.map(\.number) }

  /// Returns sorted lists as one sorted list, two at a time. O(n log m) for m lists.
  static func merged(_ lists: [KeyedItems]) -> KeyedItems {
    guard let first = lists.first, lists.count > 1 else { return lists.first ?? KeyedItems() }
    if lists.count == 2 { return first.merged(with: lists[1]) }
    return merged(Array(lists[..<(lists.count / 2)])).merged(with: merged(Array(lists[(lists.count / 2)...])))
  }

  private func merged(with other: KeyedItems) -> KeyedItems {
    let joined = keys + other.keys
    var merged: [Entry] = []
    merged.reserveCapacity(entries.count + other.entries.count)
    let others = other.entries.map { Entry(number: $0.number, start: keys.count + $0.start, count: $0.count) }
    joined.withUnsafeBytes { keys in
      var (own, next) = (0, 0)
      while own < entries.count, next < others.count {
        let (a, b) = (entries[own], others[next])
        if KeyedItems.isBefore(keys[b.start..<b.start + b.count], keys[a.start..<a.start + a.count]) {
          merged.append(b)
          next += 1
        } else {
          merged.append(a)
          own += 1
        }
      }
      merged += entries[own...]
      merged += others[next...]
    }
    return KeyedItems(entries: merged, keys: joined)
  }
}
