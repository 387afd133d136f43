import Dispatch
import HashTreeCollections
import PlainText
import Synchronization

/// The items of a state in the order of a request, with the sections of each.
///
/// Two threads make and sort the keys of one half each.
struct ItemArrangement {
  /// The items, in no particular order.
  let items: [Item]
  /// The numbers of the items in their order.
  let numbers: [Int]
  /// The sections of each item; empty if the request has none.
  let sections: [[SectionID]]

  /// The number of items below which one thread does everything.
  private static let minItemsPerThread = 4_096

  init(of state: StoreState, sort: [ItemSortDescriptor], order: SectionOrder) {
    let items = state.items.array
    let middle = items.count < ItemArrangement.minItemsPerThread * 2 ? 0 : items.count / 2
    let (first, second) = ItemArrangement.both(
      { Half(of: state, items, 0..<middle, sort, order) }, { Half(of: state, items, middle..<items.count, sort, order) },
      isParallel: middle > 0)
    self.items = items
    numbers = middle == 0 ? second.keyed.numbers : first.keyed.merged(with: second.keyed)
    sections = first.sections + second.sections
  }

  /// Computes two values, if it pays on two threads.
  private static func both<Value: Sendable>(
    _ first: @escaping @Sendable () -> Value, _ second: () -> Value, isParallel: Bool
  ) -> (Value, Value) {
    guard isParallel else { return (first(), second()) }
    let result = FirstValue<Value>()
    let group = DispatchGroup()
    // A queue of its own, for the same reason as `QueueExecutor`.
    DispatchQueue(label: "arranger").async(group: group) { result.value.withLock { $0 = first() } }
    let other = second()
    group.wait()
    return (result.value.withLock { $0 } ?? first(), other)
  }

  /// The value that the other thread computed. Its lock guards only that.
  private final class FirstValue<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Some of the items, sorted.
  private struct Half: Sendable {
    var keyed = KeyedItems()
    var sections: [[SectionID]] = []

    init(of state: StoreState, _ items: [Item], _ range: Range<Int>, _ sort: [ItemSortDescriptor], _ order: SectionOrder) {
      var builder = SortKeyBuilder()
      keyed.reserveCapacity(range.count)
      for number in range {
        let fields = ItemFields(item: items[number], defaults: state.defaults)
        let derived = state.derived?[items[number].id]
        builder.append(fields, by: sort, derived)
        keyed.append(number, &builder)
        if order.hasSections { sections.append(order.sectionIDs(of: fields, derived)) }
      }
      keyed.sort()
    }
  }
}

extension SortKeyBuilder {
  /// Returns the key of an item.
  mutating func key(of fields: ItemFields, by sort: [ItemSortDescriptor], _ derived: DerivedValues?) -> SortKey {
    append(fields, by: sort, derived)
    return finish()
  }

  /// Appends the key of an item.
  fileprivate mutating func append(_ fields: ItemFields, by sort: [ItemSortDescriptor], _ derived: DerivedValues?) {
    var number = 0
    for descriptor in sort {
      if let path = descriptor.path {
        append(fields.value(at: path), exact: descriptor.isExact, descending: descriptor.isDescending)
      } else {
        append(derived.flatMap { $0.sort.indices.contains(number) ? $0.sort[number] : nil }, descending: descriptor.isDescending)
        number += 1
      }
    }
    append(id: fields.item.id.description)
  }
}
