import Files
import Folder
import HashTreeCollections
import Query
import Values

/// An item that was added, removed or read again, with what a list needs to place its rows.
struct RefreshedItem: Sendable {
  let id: Item.ID
  /// The item with its place; nil if it is gone.
  let new: Placement?
  /// The key that the list is sorted by so far; nil if the item is new.
  let oldKey: SortKey?

  /// An item that needs a place.
  struct Placement: Sendable {
    let item: Item
    let key: SortKey
    let sections: [SectionID]
  }

  /// The number of items that one thread compares at a time.
  private static let itemsAtOnce = 256

  /// Compares some items of two states, on several threads if there are many.
  ///
  /// - Parameters:
  ///   - ids: The items.
  ///   - old: The state that the list is sorted by so far.
  ///   - state: The state to show.
  ///   - order: The order of the list.
  /// - Returns: One result for each id, in their order.
  static func all(_ ids: [Item.ID], from old: StoreState, to state: StoreState, _ order: RowOrder)
    -> [RefreshedItem]
  {
    let parts = ParallelWork.map(ids.count, by: itemsAtOnce) { range in
      var builder = SortKeyBuilder()
      return ids[range].map { id in
        let new = state.items[id].map { item in
          Placement(
            item: item, key: builder.key(of: item, in: state, by: order.sort),
            sections: order.sections.sectionIDs(
              of: ItemFields(item: item, defaults: state.defaults), state.derived?[id]))
        }
        return RefreshedItem(
          id: id, new: new, oldKey: old.items[id].map { builder.key(of: $0, in: old, by: order.sort) })
      }
    }
    return parts.flatMap { $0 }
  }
}

extension SortKeyBuilder {
  /// Returns the key of an item of a state.
  mutating func key(of item: Item, in state: StoreState, by sort: [ItemSortDescriptor]) -> SortKey {
    key(of: ItemFields(item: item, defaults: state.defaults), by: sort, state.derived?[item.id])
  }
}
