import DiffableSnapshot
import HashTreeCollections
import PlainText

/// A list that stays in order while its items change, in O(k log n) for k changes.
///
/// It holds every item of the store. Items that the predicate or the search excludes are hidden, so
/// that another search text hides and shows items but moves none.
struct ResultsIndex: Sendable {
  private(set) var request: FetchRequest
  /// All items in order: the list before its window.
  private var all = Snapshot<SectionID, Item.ID>()
  /// The part of `all` in the window; nil if the request has no window.
  private var window: SnapshotWindow<SectionID, Item.ID>?
  private var sort: [ItemSortDescriptor]
  private var keys: [Item.ID: SortKey] = [:]
  private var filter: ItemFilter
  private var order: SectionOrder

  /// The list to publish.
  var shown: Snapshot<SectionID, Item.ID> { window?.list ?? all }

  /// Sorts everything: O(n log n).
  init(_ state: StoreState, request: FetchRequest, context: PredicateContext) {
    self.request = request
    sort = request.decidingSort
    filter = ItemFilter(request, context: context)
    order = SectionOrder(request.section)
    arrange(state)
    hide(.all, state)
    cutWindow()
  }

  private mutating func arrange(_ state: StoreState) {
    var sections: [SectionID: KeyedItems] = [:]
    for name in order.named { sections[name] = KeyedItems() }
    keys.reserveCapacity(state.items.count)
    var builder = SortKeyBuilder()
    for (id, item) in state.items {
      let key = builder.key(of: item, by: sort)
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
    window = request.hasWindow ? SnapshotWindow(request.window, of: all) : nil
  }

  /// Updates the list with items that came, went or were read again.
  ///
  /// - Returns: The ids that may be different in `shown`.
  mutating func update(_ ids: Set<Item.ID>, of state: StoreState) -> Set<Item.ID> {
    var builder = SortKeyBuilder()
    var text = FoldedText()
    // The items whose place or visibility changed.
    var moved: Set<Item.ID> = []
    // Items at a wrong place must be removed before a right place can be searched for.
    var pending: [(item: Item, key: SortKey)] = []
    for id in ids {
      guard let item = state.items[id] else {
        remove(id)
        moved.insert(id)
        continue
      }
      let key = builder.key(of: item, by: sort)
      if keys[id] == key, all.placeAmongAll(of: id)?.section == order.sectionID(of: item) {
        let isHidden = !filter.fits(item, &text)
        if all.isHidden(id) == isHidden { continue }
        try? all.setHidden(isHidden, CollectionOfOne(id))
      } else {
        remove(id)
        pending.append((item, key))
      }
      moved.insert(id)
    }
    for (item, key) in pending { insert(item, key, isHidden: !filter.fits(item, &text)) }
    // Items that cross the window's edges come and go without having changed.
    return window?.follow(all, changed: moved, range: request.window).union(ids) ?? ids
  }

  // The edits below cannot fail: each checks first that its items exist, or do not exist.

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

  /// Shows another request of the same store.
  ///
  /// If the order stays, nothing is sorted. If fewer items can match than before, only the shown
  /// items are tested; if more can, only the hidden ones.
  mutating func show(_ new: FetchRequest, of state: StoreState, context: PredicateContext) {
    guard new.sort == request.sort, new.section == request.section else {
      self = ResultsIndex(state, request: new, context: context)
      return
    }
    let old = filter
    let keepsWindow = request.hasWindow && new.hasWindow && request.window.overlaps(new.window)
    request = new
    filter = ItemFilter(new, context: context)
    switch (filter.isNarrower(than: old), old.isNarrower(than: filter)) {
    case (true, true):
      if keepsWindow {
        _ = window?.follow(all, range: new.window)
        return
      }
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
