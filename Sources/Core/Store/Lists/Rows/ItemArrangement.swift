import Glibc
import HashTreeCollections

/// The items of a state in the order of a request, with the sections of each.
///
/// Several threads make and sort the keys of one part each.
struct ItemArrangement {
  private let items: [Item]
  /// The keys of the items in the state, if they are not the ids.
  private let keys: [Item.ID]?
  let numbers: [Int]
  /// The sections of each item; empty if the request has none.
  let sections: [[SectionID]]

  private static let minPartSize = 4_096
  private static let maxParts = 4

  init(of state: StoreState, sort: [ItemSortDescriptor], order: SectionOrder) {
    let (items, keys) = state.items.entries
    let size = max(
      ItemArrangement.minPartSize, (items.count + ItemArrangement.maxParts - 1) / ItemArrangement.maxParts)
    let parts = ParallelWork.map(items.count, by: size) { Part(of: state, items, keys, $0, sort, order) }
    self.items = items
    self.keys = keys
    numbers = KeyedItems.merged(parts.map(\.keyed))
    sections = parts.flatMap(\.sections)
  }

  func id(of number: Int) -> Item.ID { keys?[number] ?? items[number].id }

  var ids: [Item.ID] {
    let parts = ParallelWork.map(numbers.count, by: 4 * ItemArrangement.minPartSize) { range in
      numbers[range].map(id)
    }
    return Array(parts.joined())
  }

  private struct Part {
    var keyed = KeyedItems()
    var sections: [[SectionID]] = []

    init(
      of state: StoreState, _ items: [Item], _ keys: [Item.ID]?, _ range: Range<Int>,
      _ sort: [ItemSortDescriptor], _ order: SectionOrder
    ) {
      var builder = SortKeyBuilder()
      keyed.reserveCapacity(range.count)
      for number in range {
        let fields = state.fields(of: items[number])
        let derived = state.derived?[keys?[number] ?? items[number].id]
        builder.append(fields, by: sort, derived)
        keyed.append(number, &builder)
        if order.hasSections { sections.append(order.sectionIDs(of: fields, derived)) }
      }
      keyed.sort()
    }
  }
}

extension SortKeyBuilder {
  mutating func key(of item: Item, in state: StoreState, by sort: [ItemSortDescriptor]) -> SortKey {
    append(state.fields(of: item), by: sort, state.derived?[item.id])
    return finish()
  }

  fileprivate mutating func append(
    _ fields: ItemFields, by sort: [ItemSortDescriptor], _ derived: DerivedValues?
  ) {
    var number = 0
    for descriptor in sort {
      if let path = descriptor.path {
        append(
          fields.value(at: path), exact: descriptor.isExact, descending: descriptor.isDescending,
          nullsFirst: descriptor.nullsFirst)
      } else {
        let value = derived.flatMap { $0.sort.indices.contains(number) ? $0.sort[number] : nil }
        append(value, descending: descriptor.isDescending, nullsFirst: descriptor.nullsFirst)
        number += 1
      }
    }
    append(id: fields.item.id.description)
  }
}

/// Items to be sorted, by their numbers. Their keys lie end to end in one block, so that sorting
/// compares bytes, moves numbers and counts no references.
struct KeyedItems {
  private struct Entry {
    let number: Int
    let start: Int
    let count: Int
    /// The first bytes of the key after those that all keys share. They decide most comparisons.
    var high: UInt64 = 0
    var low: UInt64 = 0
  }

  private var entries: [Entry] = []
  private var keys: [UInt8] = []

  init() {}

  mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    keys.reserveCapacity(count * 32)
  }

  mutating func append(_ number: Int, _ builder: inout SortKeyBuilder) {
    let start = keys.count
    builder.finish(into: &keys)
    entries.append(Entry(number: number, start: start, count: keys.count - start))
  }

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
        return KeyedItems.isBefore(KeyedItems.key(a, in: keys), KeyedItems.key(b, in: keys))
      }
    }
  }

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
    if bytes.count >= 8 {
      return UInt64(bigEndian: UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: UInt64.self))
    }
    var word: UInt64 = 0
    for byte in bytes { word = word << 8 | UInt64(byte) }
    return word << (8 * UInt64(8 - bytes.count))
  }

  private static func isBefore(_ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>) -> Bool
  {
    let a = UnsafeRawBufferPointer(rebasing: a)
    let b = UnsafeRawBufferPointer(rebasing: b)
    guard let left = a.baseAddress, let right = b.baseAddress else { return a.count < b.count }
    let order = memcmp(left, right, min(a.count, b.count))
    return order == 0 ? a.count < b.count : order < 0
  }

  private static func key(_ entry: Entry, in keys: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    keys[entry.start..<entry.start + entry.count]
  }

  private func count(before key: [UInt8]) -> Int {
    keys.withUnsafeBytes { keys in
      key.withUnsafeBytes { key in
        var low = 0
        var high = entries.count
        while low < high {
          let middle = (low + high) / 2
          if KeyedItems.isBefore(KeyedItems.key(entries[middle], in: keys), key[...]) {
            low = middle + 1
          } else {
            high = middle
          }
        }
        return low
      }
    }
  }

  private static let mergedAtOnce = 8_192

  /// Merges m sorted lists on several threads, and returns the numbers of all items. O(n log m).
  static func merged(_ lists: [KeyedItems]) -> [Int] {
    guard lists.count > 1, let longest = lists.max(by: { $0.entries.count < $1.entries.count }) else {
      return lists.first?.entries.map(\.number) ?? []
    }
    // Some keys of the longest list cut all lists into pieces that can be merged alone.
    let pieces = max(1, lists.reduce(0) { $0 + $1.entries.count } / mergedAtOnce)
    var edges = [lists.map { _ in 0 }]
    for piece in 1..<pieces {
      let cut = longest.entries[longest.entries.count * piece / pieces]
      let key = Array(longest.keys[cut.start..<cut.start + cut.count])
      edges.append(lists.map { $0.count(before: key) })
    }
    edges.append(lists.map(\.entries.count))
    var keys: [UInt8] = []
    keys.reserveCapacity(lists.reduce(0) { $0 + $1.keys.count })
    var starts: [Int] = []
    for list in lists {
      starts.append(keys.count)
      keys += list.keys
    }
    let parts = ParallelWork.map(pieces, by: 1) { [edges, keys, starts] range in
      range.flatMap { piece in
        let parts = lists.indices.map { list in
          lists[list].entries[edges[piece][list]..<edges[piece + 1][list]].map { entry in
            Entry(number: entry.number, start: starts[list] + entry.start, count: entry.count)
          }
        }
        return keys.withUnsafeBytes { keys in merged(parts[...], keys).map(\.number) }
      }
    }
    return Array(parts.joined())
  }

  private static func merged(_ lists: ArraySlice<[Entry]>, _ keys: UnsafeRawBufferPointer) -> [Entry] {
    guard let first = lists.first, lists.count > 1 else { return lists.first ?? [] }
    if lists.count > 2 {
      let middle = lists.startIndex + lists.count / 2
      return merged([merged(lists[..<middle], keys), merged(lists[middle...], keys)], keys)
    }
    let others = lists[lists.startIndex + 1]
    var merged: [Entry] = []
    merged.reserveCapacity(first.count + others.count)
    var own = 0
    var next = 0
    while own < first.count, next < others.count {
      if isBefore(key(others[next], in: keys), key(first[own], in: keys)) {
        merged.append(others[next])
        next += 1
      } else {
        merged.append(first[own])
        own += 1
      }
    }
    merged += first[own...]
    merged += others[next...]
    return merged
  }
}
