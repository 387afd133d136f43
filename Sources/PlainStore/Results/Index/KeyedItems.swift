import Glibc
import PlainText

/// Items to be sorted. Their keys lie end to end in one block, so that sorting compares bytes,
/// moves numbers and counts no references.
struct KeyedItems {
  private var ids: [Item.ID] = []
  private var keys: [UInt8] = []
  /// The start of each key, and at the end the end of the last key.
  private var starts = [0]

  mutating func append(_ id: Item.ID, _ key: SortKey) {
    ids.append(id)
    keys += key.bytes
    starts.append(keys.count)
  }

  /// Returns the ids in the order of their keys. O(n log n).
  func sorted() -> [Item.ID] {
    var order = Array(ids.indices)
    keys.withUnsafeBytes { keys in
      starts.withUnsafeBufferPointer { starts in
        order.sort { a, b in KeyedItems.isBefore(keys[starts[a]..<starts[a + 1]], keys[starts[b]..<starts[b + 1]]) }
      }
    }
    return order.map { ids[$0] }
  }

  private static func isBefore(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Bool {
    let (a, b) = (UnsafeRawBufferPointer(rebasing: a), UnsafeRawBufferPointer(rebasing: b))
    guard let left = a.baseAddress, let right = b.baseAddress else { return a.count < b.count }
    let order = memcmp(left, right, min(a.count, b.count))
    return order == 0 ? a.count < b.count : order < 0
  }
}
