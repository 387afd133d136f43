import Glibc

/// Detects repeated keys in the maps that are being read.
///
/// The keys stay in the packed bytes; only their ranges are kept, for all open maps on one stack.
/// Up to sixteen keys of a map are compared with one another. More keys go into a hash table with
/// the standard library's seeded hash, so that no choice of keys takes more than linear time.
struct UniqueKeys {
  /// The keys of one open map. The map's reader keeps it and passes it to each call.
  struct Scope {
    fileprivate var first: Int
    fileprivate var hasTable = false
  }

  private struct Key {
    /// The length and some bytes of the key: two different keys rarely have the same signature.
    var signature: UInt64
    var range: Range<Int>
    /// The place of the key in the text, in the unit of its reader.
    var mark: Int
  }

  private var keys: [Key] = []
  /// The hash tables of the open maps with many keys, innermost last, at most half full and a power of two in
  /// size. A slot is an index into `keys` plus one, or 0 if it is free.
  private var tables: [[UInt32]] = []

  private static let maxScannedKeys = 16

  mutating func reset() {
    keys.removeAll(keepingCapacity: keys.capacity <= 1 << 14)
    tables.removeAll(keepingCapacity: true)
  }

  func begin() -> Scope { Scope(first: keys.count) }

  mutating func end(_ scope: Scope) {
    keys.removeLast(keys.count - scope.first)
    if scope.hasTable { tables.removeLast() }
  }

  /// Adds a key and returns nil, or returns the mark of an equal one.
  mutating func insert(
    _ range: Range<Int>, mark: Int, into scope: inout Scope, of bytes: UnsafeRawBufferPointer
  ) -> Int? {
    let key = Key(signature: UniqueKeys.signature(bytes, range), range: range, mark: mark)
    if scope.hasTable { return insertIntoTable(key, scope, bytes) }
    let equal = keys.withUnsafeBufferPointer { keys in
      keys[scope.first...].firstIndex { $0.signature == key.signature && UniqueKeys.areEqual($0, key, bytes) }
    }
    if let equal { return keys[equal].mark }
    keys.append(key)
    if keys.count - scope.first > UniqueKeys.maxScannedKeys {
      scope.hasTable = true
      tables.append([])
      growTable(scope, bytes)
    }
    return nil
  }

  private mutating func insertIntoTable(_ key: Key, _ scope: Scope, _ bytes: UnsafeRawBufferPointer) -> Int? {
    let table = tables.count - 1
    var slot = UniqueKeys.slot(of: key, in: tables[table].count, bytes)
    while tables[table][slot] != 0 {
      let other = keys[Int(tables[table][slot]) - 1]
      if UniqueKeys.areEqual(other, key, bytes) { return other.mark }
      slot = (slot + 1) & (tables[table].count - 1)
    }
    keys.append(key)
    tables[table][slot] = UInt32(keys.count)
    if 2 * (keys.count - scope.first) > tables[table].count { growTable(scope, bytes) }
    return nil
  }

  private mutating func growTable(_ scope: Scope, _ bytes: UnsafeRawBufferPointer) {
    var size = 64
    while size < 4 * (keys.count - scope.first) { size *= 2 }
    var table = [UInt32](repeating: 0, count: size)
    for index in scope.first..<keys.count {
      var slot = UniqueKeys.slot(of: keys[index], in: size, bytes)
      while table[slot] != 0 { slot = (slot + 1) & (size - 1) }
      table[slot] = UInt32(index + 1)
    }
    tables[tables.count - 1] = table
  }

  private static func slot(of key: Key, in size: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[key.range]))
    return hasher.finalize() & (size - 1)
  }

  private static func signature(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64 {
    var word: UInt64 = 0
    if range.count >= 7 {
      let head = UInt64(bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt32.self))
      let tail = UInt64(bytes.loadUnaligned(fromByteOffset: range.upperBound - 4, as: UInt32.self))
      word = head ^ tail << 24
    } else {
      for index in range { word = word << 8 | UInt64(bytes[index]) }
    }
    return word << 8 | UInt64(truncatingIfNeeded: range.count & 0xFF)
  }

  private static func areEqual(_ a: Key, _ b: Key, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard a.signature == b.signature, a.range.count == b.range.count else { return false }
    // The signature contains shorter keys completely.
    guard a.range.count >= 7, let base = bytes.baseAddress else { return true }
    return memcmp(base + a.range.lowerBound, base + b.range.lowerBound, a.range.count) == 0
  }
}
