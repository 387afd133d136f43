import DiffableSnapshot
import HashTreeCollections
import PlainText

/// A list that is kept in order as its items change, in O(k log n) for k changes.
///
/// It holds every item of the store, those that the predicate or the search leaves out as hidden: so another search text changes what is hidden and moves nothing.
struct ResultsIndex: Sendable {
  private(set) var request: FetchRequest
  /// What is published: `all`, or the window of it.
  private(set) var shown = Snapshot<SectionID, Item.ID>()
  /// All items, in order; the list before its window.
  private var all = Snapshot<SectionID, Item.ID>()
  private var keys: [Item.ID: SortKey] = [:]
  private var filter: ItemFilter
  private var order: SectionOrder

  /// Sorts everything: O(n log n).
  init(_ state: StoreState, request: FetchRequest, context: PredicateContext) {
    self.request = request
    filter = ItemFilter(request, context: context)
    order = SectionOrder(request.section)
    sort(state)
    hide(.all, state)
    cutWindow()
  }

  private mutating func sort(_ state: StoreState) {
    var sections: [SectionID: KeyedItems] = [:]
    for name in order.named { sections[name] = KeyedItems() }
    keys.reserveCapacity(state.items.count)
    var builder = SortKeyBuilder()
    for (id, item) in state.items {
      let key = builder.key(of: item, by: request.sort)
      keys[id] = key
      sections[order.sectionID(of: item), default: KeyedItems()].append(id, key)
    }
    let ordered = sections.map { (key: order.key(of: $0.key), id: $0.key, items: $0.value) }.sorted { $0.key < $1.key }
    let lists = ordered.map { (id: $0.id, items: $0.items.sorted()) }
    // Ids are unique and so are sections: both were keys of a dictionary.
    all = (try? Snapshot(lists)) ?? Snapshot()
    for name in order.named { try? all.setPinned(true, section: name) }
  }

  private mutating func hide(_ asked: AskedItems, _ state: StoreState) {
    if filter.isEmpty {
      all.setHidden(asking: .hidden) { _ in false }
      return
    }
    var text = FoldedText()
    all.setHidden(asking: asked) { id in !(state.items[id].map { filter.fits($0, &text) } ?? false) }
  }

  private mutating func cutWindow() {
    shown = request.hasWindow ? all.window(request.window, keeping: order.named) : all
  }

  /// Takes in items that came, went or were read anew. Answers what may be different in `shown`.
  mutating func take(_ ids: Set<Item.ID>, of state: StoreState) -> Set<Item.ID> {
    var builder = SortKeyBuilder()
    var text = FoldedText()
    // What stands at a wrong place must be out before a right place can be searched for.
    var pending: [(item: Item, key: SortKey)] = []
    for id in ids {
      guard let item = state.items[id] else {
        remove(id)
        continue
      }
      let key = builder.key(of: item, by: request.sort)
      if keys[id] == key, all.placeAmongAll(of: id)?.section == order.sectionID(of: item) {
        try? all.setHidden(!filter.fits(item, &text), CollectionOfOne(id))
      } else {
        remove(id)
        pending.append((item, key))
      }
    }
    for (item, key) in pending { insert(item, key, isHidden: !filter.fits(item, &text)) }
    return publish(ids)
  }

  // The edits below cannot fail: each asks first for what would be missing or there twice.

  private mutating func remove(_ id: Item.ID) {
    guard keys.removeValue(forKey: id) != nil, let section = all.placeAmongAll(of: id)?.section else { return }
    try? all.deleteItems([id])
    if all.numberOfAllItems(inSection: section) == 0, !order.isNamed(section) { try? all.deleteSections([section]) }
  }

  private mutating func insert(_ item: Item, _ key: SortKey, isHidden: Bool) {
    let section = order.sectionID(of: item)
    if all.numberOfAllItems(inSection: section) == nil {
      let sectionKey = order.key(of: section)
      let place = all.sectionPartitionPointAmongAll { order.key(of: $0) > sectionKey }
      try? all.insertSection(section, atIndexAmongAll: place)
    }
    let place = all.partitionPointAmongAll(inSection: section) { id in keys[id].map { $0 > key } ?? false }
    try? all.insertItem(item.id, inSection: section, atIndexAmongAll: place, isHidden: isHidden)
    keys[item.id] = key
  }

  /// The window follows the list; what crosses its edge comes and goes without having changed.
  private mutating func publish(_ changed: Set<Item.ID>) -> Set<Item.ID> {
    guard request.hasWindow else {
      shown = all
      return changed
    }
    let before = Set(shown.itemIdentifiers)
    cutWindow()
    return changed.union(before.symmetricDifference(shown.itemIdentifiers))
  }

  /// Shows something else of the same store. Where the order stays, nothing is sorted; where less can fit than before, only the shown items are asked, and where more can,
  /// only the hidden ones.
  mutating func show(_ new: FetchRequest, of state: StoreState, context: PredicateContext) {
    guard new.sort == request.sort, new.section == request.section else {
      self = ResultsIndex(state, request: new, context: context)
      return
    }
    let old = filter
    request = new
    filter = ItemFilter(new, context: context)
    switch (filter.isNarrower(than: old), old.isNarrower(than: filter)) {
    case (true, true): break
    case (true, false): hide(.shown, state)
    case (false, true): hide(.hidden, state)
    case (false, false): hide(.all, state)
    }
    cutWindow()
  }
}

extension SortKeyBuilder {
  fileprivate mutating func key(of item: Item, by sort: [ItemSortDescriptor]) -> SortKey {
    for descriptor in sort { append(item.value(at: descriptor.path), exact: descriptor.isExact, descending: descriptor.isDescending) }
    append(id: item.id.description)
    return finish()
  }
}

extension Snapshot where SectionID == PlainStore.SectionID {
  /// The items with these numbers, in their sections; of sections that have none of them only the named ones.
  fileprivate func window(_ range: Range<Int>, keeping named: [SectionID]) -> Snapshot {
    let named = Set(named)
    var start = 0
    var lists: [(id: SectionID, items: [ItemID])] = []
    for section in sectionIdentifiers {
      let end = start + numberOfItems(inSection: section)
      let inside = range.clamped(to: start..<end)
      let items = inside.isEmpty ? [] : Array(self.items(inSection: section, inside.lowerBound - start..<inside.upperBound - start))
      if !items.isEmpty || named.contains(section) { lists.append((section, items)) }
      start = end
    }
    return (try? Snapshot(lists)) ?? Snapshot()
  }
}
