import Files
import Folder
import HashTreeCollections
import Query
import Values

/// The items of a state in the order of a request, with the sections of each.
///
/// Several threads make and sort the keys of one part each.
struct ItemArrangement: Sendable {
  /// The items, in no particular order.
  private let items: [Item]
  /// The keys of the items in the state, if they are not the ids.
  private let keys: [Item.ID]?
  /// The numbers of the items in their order.
  let numbers: [Int]
  /// The sections of each item; empty if the request has none.
  let sections: [[SectionID]]

  /// The least number of items for one thread.
  private static let minPartSize = 4_096
  /// The number of parts of a long list.
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

  /// Returns the id that the item with a number has in the list.
  func id(of number: Int) -> Item.ID { keys?[number] ?? items[number].id }

  /// The ids that the items have in the list, in their order.
  var ids: [Item.ID] {
    let parts = ParallelWork.map(numbers.count, by: 4 * ItemArrangement.minPartSize) { range in
      numbers[range].map(id)
    }
    return Array(parts.joined())
  }

  /// Some of the items, sorted.
  private struct Part: Sendable {
    var keyed = KeyedItems()
    var sections: [[SectionID]] = []

    init(
      of state: StoreState, _ items: [Item], _ keys: [Item.ID]?, _ range: Range<Int>,
      _ sort: [ItemSortDescriptor], _ order: SectionOrder
    ) {
      var builder = SortKeyBuilder()
      keyed.reserveCapacity(range.count)
      for number in range {
        let fields = ItemFields(item: items[number], defaults: state.defaults)
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
  /// Returns the key of an item.
  mutating func key(of fields: ItemFields, by sort: [ItemSortDescriptor], _ derived: DerivedValues?)
    -> SortKey
  {
    append(fields, by: sort, derived)
    return finish()
  }

  /// Appends the key of an item.
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
