import HashTreeCollections
package import Query

/// The items of a store by their ids: those that were loaded together, and what changed since.
///
/// A value that shares its structure with its copies. A lookup costs one hash and one comparison of
/// ids, a change O(log n) for the changes so far.
package struct ItemTable {
  private let base: ItemBase
  /// The items that are not as in `base`; nil for one that is gone.
  private var changes = TreeDictionary<Item.ID, Item?>()
  /// The number of items in `base` that `changes` replaces.
  private(set) var replacedCount = 0
  package private(set) var count: Int

  package init(_ base: ItemBase) {
    self.base = base
    count = base.items.count
  }

  package init() {
    self.init(.empty)
  }

  package var isEmpty: Bool { count == 0 }

  package subscript(id: Item.ID) -> Item? {
    get {
      if !changes.isEmpty, let change = changes[id] { return change }
      return base[id]
    }
    set { _ = updateValue(newValue, forKey: id) }
  }

  /// Sets the item of an id, or removes it with nil. Returns the old one.
  mutating func updateValue(_ item: Item?, forKey id: Item.ID) -> Item? {
    let known = base[id]
    let isNeeded = item != nil || known != nil
    let change = isNeeded ? changes.updateValue(item, forKey: id) : changes.removeValue(forKey: id)
    if known != nil, change == nil { replacedCount += 1 }
    let old = change ?? known
    count += (item == nil ? 0 : 1) - (old == nil ? 0 : 1)
    return old
  }

  package var keys: some Sequence<Item.ID> { lazy.map(\.key) }

  package var values: some Sequence<Item> { lazy.map(\.value) }

  /// The items as an array, and the key of each; nil if each key is the id of its item, that is, unless a
  /// comparison of revisions renamed one. O(1) until something changed, then O(n).
  package var entries: (items: [Item], keys: [Item.ID]?) {
    changes.isEmpty ? (base.items, nil) : (Array(values), Array(keys))
  }

  package func filter(_ isIncluded: ((key: Item.ID, value: Item)) throws -> Bool) rethrows -> ItemTable {
    var table = self
    for item in self where try !isIncluded(item) { table[item.key] = nil }
    return table
  }

  package var first: (key: Item.ID, value: Item)? { first { _ in true } }
}

extension ItemTable: Sequence {
  /// Returns the ids and items one after the other, in no particular order.
  package struct Iterator: IteratorProtocol {
    private let table: ItemTable
    private var number = 0
    private var changes: TreeDictionary<Item.ID, Item?>.Iterator

    fileprivate init(_ table: ItemTable) {
      self.table = table
      changes = table.changes.makeIterator()
    }

    package mutating func next() -> (key: Item.ID, value: Item)? {
      while number < table.base.items.count {
        let item = table.base.items[number]
        number += 1
        if table.changes.isEmpty || table.changes[item.id] == nil { return (item.id, item) }
      }
      while let (id, item) = changes.next() {
        if let item { return (id, item) }
      }
      return nil
    }
  }

  package func makeIterator() -> Iterator { Iterator(self) }

  package var underestimatedCount: Int { count }
}

extension ItemTable: ExpressibleByDictionaryLiteral {
  package init(uniqueKeysWithValues items: some Sequence<(Item.ID, Item)>) {
    self.init()
    for (id, item) in items { self[id] = item }
  }

  package init(dictionaryLiteral items: (Item.ID, Item)...) {
    self.init(uniqueKeysWithValues: items)
  }
}
