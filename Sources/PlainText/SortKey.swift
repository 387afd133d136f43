import Glibc

/// The place of an item in a sorted list, as bytes: comparing two is one `memcmp`.
package struct SortKey: Sendable, Hashable, Comparable {
  package let bytes: [UInt8]

  /// The first eight bytes as a number: where two differ they order the keys, without a look at the keys.
  package var prefix: UInt64 {
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    return prefix
  }

  package static func < (a: SortKey, b: SortKey) -> Bool {
    a.bytes.withUnsafeBytes { left in
      b.bytes.withUnsafeBytes { right in
        let common = min(left.count, right.count)
        // An empty buffer may have no address.
        let order = if let left = left.baseAddress, let right = right.baseAddress { memcmp(left, right, common) } else { 0 as Int32 }
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }
}
