import Files
import Query

/// Many items with a table of their ids, made at once and never changed.
///
/// Loading 100,000 items one by one into a tree or a dictionary moves and hashes far more than one
/// array and one table of numbers.
package final class ItemBase: Sendable {
  /// The items, each with its own id.
  let items: [Item]
  /// True if each id is the item's path without its extension, so that ids find paths.
  private let idsArePaths: Bool
  private let ids: NumberTable
  private let paths: NumberTable

  private static let hashedAtOnce = 16_384

  static let empty = ItemBase([], NumberTable(capacity: 0), idsArePaths: true)

  private init(_ items: [Item], _ ids: NumberTable, idsArePaths: Bool) {
    self.items = items
    self.ids = ids
    self.idsArePaths = idsArePaths
    var paths = NumberTable(capacity: idsArePaths ? 0 : items.count)
    if !idsArePaths {
      for (number, item) in items.enumerated() {
        _ = paths.insert(number, hash: item.path.hashValue) { items[$0].path == item.path }
      }
    }
    self.paths = paths
  }

  /// The `rest` are the items whose ids were already taken by earlier ones.
  static func make(_ items: [Item], idsArePaths: Bool) -> (base: ItemBase, rest: [Item]) {
    var ids = NumberTable(capacity: items.count)
    var rest: [Int] = []
    // The ids are scattered in memory, so several threads hash them much faster than one.
    let hashes = ParallelWork.map(items.count, by: ItemBase.hashedAtOnce) { range in
      range.map { items[$0].id.hashValue }
    }
    for (number, hash) in hashes.joined().enumerated()
    where !ids.insert(number, hash: hash, isSame: { items[$0].id == items[number].id }) {
      rest.append(number)
    }
    if rest.isEmpty { return (ItemBase(items, ids, idsArePaths: idsArePaths), []) }
    let others = Set(rest)
    let unique = items.indices.filter { !others.contains($0) }.map { items[$0] }
    return (make(unique, idsArePaths: idsArePaths).base, rest.map { items[$0] })
  }

  subscript(id: Item.ID) -> Item? {
    ids.number(hash: id.hashValue) { items[$0].id == id }.map { items[$0] }
  }

  subscript(path: RelativePath) -> Item? {
    let item =
      idsArePaths
      ? self[Item.ID(path: path)]
      : paths.number(hash: path.hashValue) { items[$0].path == path }.map { items[$0] }
    return item?.path == path ? item : nil
  }
}

/// A hash table of the numbers of things that are kept elsewhere. It is at most half full.
private struct NumberTable {
  /// In each slot the upper half of a hash and a number plus one; 0 if it is free.
  private var slots: [UInt64]
  private var mask: Int

  init(capacity: Int) {
    // Larger than the capacity, so that each search ends at a free slot.
    var size = 2
    while size < capacity * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    mask = size - 1
  }

  private static let upperHalf: UInt64 = 0xFFFF_FFFF_0000_0000

  /// Returns the slot of the number with a hash for which `isSame` is true; if there is none, the free
  /// slot for it.
  @inline(__always) private func slot(hash: Int, where isSame: (Int) -> Bool) -> Int {
    let upper = UInt64(UInt(bitPattern: hash)) & NumberTable.upperHalf
    var slot = hash & mask
    while slots[slot] != 0, slots[slot] & NumberTable.upperHalf != upper || !isSame(number(in: slot)) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func number(in slot: Int) -> Int { Int(UInt32(truncatingIfNeeded: slots[slot])) - 1 }

  func number(hash: Int, where isSame: (Int) -> Bool) -> Int? {
    let slot = slot(hash: hash, where: isSame)
    return slots[slot] == 0 ? nil : number(in: slot)
  }

  /// Inserts a number below the capacity, unless the table has one for which `isSame` is true.
  mutating func insert(_ number: Int, hash: Int, isSame: (Int) -> Bool) -> Bool {
    let slot = slot(hash: hash, where: isSame)
    if slots[slot] != 0 { return false }
    let upper = UInt64(UInt(bitPattern: hash)) & NumberTable.upperHalf
    slots[slot] = upper | UInt64(UInt32(truncatingIfNeeded: number + 1))
    return true
  }
}
