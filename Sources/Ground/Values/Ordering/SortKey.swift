import Glibc

/// The position of an item in a sorted list, as bytes. Two keys are compared with one `memcmp`.
package struct SortKey: Sendable, Hashable, Comparable {
  package let bytes: [UInt8]

  package static func < (a: SortKey, b: SortKey) -> Bool {
    a.bytes.withUnsafeBytes { left in
      b.bytes.withUnsafeBytes { right in
        let common = min(left.count, right.count)
        // An empty buffer may not have a base address.
        let order =
          if let left = left.baseAddress, let right = right.baseAddress { memcmp(left, right, common) } else {
            0 as Int32
          }
        return order == 0 ? left.count < right.count : order < 0
      }
    }
  }
}
