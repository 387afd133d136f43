import Glibc

/// Finds equal keys of the maps that are open, innermost last, without copying them: they lie in the packed bytes.
///
/// Up to sixteen keys a map are compared with one another; more go into a hash table with the standard library's seeded hash,
/// so that no choice of keys takes more than linear time.
struct UniqueKeys {
  /// The keys of one map. Belongs to the map's reader, which hands it to every call.
  struct Scope {
    fileprivate var first: Int
    fileprivate var hasTable = false
  }

  private struct Key {
    /// Length and first bytes: differs for most keys that differ.
    var signature: UInt64
    var range: Range<Int>
    /// Where it stands in the text, as its reader counts.
    var mark: Int
  }

  private var keys: [Key] = []
  /// Of the open maps with many keys, innermost last: indices into `keys` plus one, 0 where free; a power of two long, never more than half full.
  private var tables: [[UInt32]] = []

  private static let fewKeys = 16

  mutating func reset() {
    keys.removeAll(keepingCapacity: keys.capacity <= 1 << 14)
    tables.removeAll(keepingCapacity: true)
  }

  func begin() -> Scope { Scope(first: keys.count) }

  mutating func end(_ scope: Scope) {
    keys.removeSubrange(scope.first...)
    if scope.hasTable { tables.removeLast() }
  }

  /// Nil where the key is new; else the mark of its equal, and nothing is kept.
  mutating func insert(_ range: Range<Int>, mark: Int, into scope: inout Scope, of bytes: UnsafeRawBufferPointer) -> Int? {
    let key = Key(signature: UniqueKeys.signature(bytes, range), range: range, mark: mark)
    if scope.hasTable { return insertIntoTable(key, scope, bytes) }
    for index in scope.first..<keys.count where UniqueKeys.areEqual(keys[index], key, bytes) {
      return keys[index].mark
    }
    keys.append(key)
    if keys.count - scope.first > UniqueKeys.fewKeys {
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

  /// Four times the room that is needed now.
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
    // Shorter keys are all in their signatures.
    guard a.range.count >= 7, let base = bytes.baseAddress else { return true }
    return memcmp(base + a.range.lowerBound, base + b.range.lowerBound, a.range.count) == 0
  }
}
