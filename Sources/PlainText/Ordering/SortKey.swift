import Glibc

/// The place of an item in a sorted list, as bytes: comparing two is one `memcmp`.
package struct SortKey: Sendable, Hashable, Comparable {
  package let bytes: [UInt8]

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
