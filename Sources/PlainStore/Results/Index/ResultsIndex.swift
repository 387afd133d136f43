import DiffableSnapshot
import HashTreeCollections
import PlainText

/// A list that stays in order while its items change, in O(k log n) for k changes.
///
/// It holds every item of the list's contents. Items that the filter excludes are hidden, so that
/// another search text hides and shows items but moves none.
///
/// A row is an item in a section. In most lists an item has one row, with its own id. If each
/// element of a list field makes a section, an item has a row for each of them, whose id carries
/// the section (`Item.ID.init(_:in:)`).
///
/// Invariants: the rows of `all` are sorted by `keys` in each section. `keys` has the items that
/// have rows. `sections` has the same items if an item can have several rows; otherwise it is
/// empty.
struct ResultsIndex: Sendable {
  private(set) var request: FetchRequest
  /// All rows in order: the list before its window.
  private var all = Snapshot<SectionID, Item.ID>()
  /// The part of `all` in the window; nil if the request has no window.
  private var window: SnapshotWindow<SectionID, Item.ID>?
  private var sort: [ItemSortDescriptor]
  private var keys: [Item.ID: SortKey] = [:]
  /// The sections of each item, if it can have several.
  private var sections: [Item.ID: [SectionID]] = [:]
  private var filter: ItemFilter
  private var order: SectionOrder

  /// The list to publish.
  var shown: Snapshot<SectionID, Item.ID> { window?.list ?? all }

  /// The number of rows that match, in the window or not.
  var totalCount: Int { all.numberOfItems }

  /// Sorts everything: O(n log n).
  init(_ state: StoreState, request: FetchRequest, filter: ItemFilter) {
    self.request = request
    self.filter = filter
    sort = request.decidingSort
    order = SectionOrder(request.section)
    arrange(state)
    hide(.all, state)
    cutWindow()
  }

  private mutating func arrange(_ state: StoreState) {
    var lists: [SectionID: KeyedItems] = [:]
    for name in order.named { lists[name] = KeyedItems() }
    keys.reserveCapacity(state.items.count)
    var builder = SortKeyBuilder()
    for (id, item) in state.items {
      let derived = state.derived?[id]
      let fields = ItemFields(item: item, defaults: state.defaults)
      let key = builder.key(of: fields, by: sort, derived)
      keys[id] = key
      if !order.hasSections {
        lists["", default: KeyedItems()].append(id, key)
        continue
      }
      let own = order.sectionIDs(of: fields, derived)
      if order.hasOccurrences { sections[id] = own }
      for section in own { lists[section, default: KeyedItems()].append(row(of: id, in: section), key) }
    }
    let ordered = lists.map { (key: order.key(of: $0.key), id: $0.key, items: $0.value) }.sorted { $0.key < $1.key }
    let sorted = ordered.map { (id: $0.id, items: $0.items.sorted()) }
    // Row ids are unique and so are sections: both were keys of a dictionary.
    all = (try? Snapshot(sorted)) ?? Snapshot()
    for name in order.named { try? all.setPinned(true, section: name) }
  }

  private func row(of id: Item.ID, in section: SectionID) -> Item.ID { order.hasOccurrences ? Item.ID(id, in: section) : id }

  private mutating func hide(_ asked: AskedItems, _ state: StoreState) {
    if filter.isEmpty { return all.showAllItems() }
    var text = FoldedText()
    all.setHidden(asking: asked) { id in !(state.items[id.item].map { filter.fits($0, &text) } ?? false) }
  }

  private mutating func cutWindow() {
    window = request.hasWindow ? SnapshotWindow(request.window, of: all) : nil
  }

  /// An item that needs a place.
  private struct Pending {
    let item: Item
    let key: SortKey
    let sections: [SectionID]
  }

  /// Updates the list with items that came, went or were read again.
  ///
  /// - Returns: The rows that may be different in the list: they came, went, moved or were read
  ///   again.
  mutating func update(_ ids: Set<Item.ID>, of state: StoreState) -> Set<Item.ID> {
    var builder = SortKeyBuilder()
    var text = FoldedText()
    var touched: Set<Item.ID> = []
    // The rows whose place or visibility changed.
    var moved: Set<Item.ID> = []
    // Rows at a wrong place must be removed before a right place can be searched for.
    var pending: [Pending] = []
    for id in ids {
      let oldSections = currentSections(of: id)
      let oldRows = oldSections.map { row(of: id, in: $0) }
      touched.formUnion(oldRows)
      guard let item = state.items[id] else {
        remove(id, oldSections)
        moved.formUnion(oldRows)
        continue
      }
      let derived = state.derived?[id]
      let fields = ItemFields(item: item, defaults: state.defaults)
      let new = Pending(item: item, key: builder.key(of: fields, by: sort, derived), sections: order.sectionIDs(of: fields, derived))
      let rows = new.sections.map { row(of: id, in: $0) }
      touched.formUnion(rows)
      if keys[id] == new.key, oldSections == new.sections {
        let isHidden = !filter.fits(item, &text)
        for row in rows where all.isHidden(row) != isHidden {
          try? all.setHidden(isHidden, CollectionOfOne(row))
          moved.insert(row)
        }
      } else {
        remove(id, oldSections)
        pending.append(new)
        moved.formUnion(oldRows)
        moved.formUnion(rows)
      }
    }
    for item in pending { insert(item, isHidden: !filter.fits(item.item, &text)) }
    // Rows that cross the window's edges come and go without having changed.
    if let crossing = window?.follow(all, changed: moved, range: request.window) { touched.formUnion(crossing) }
    return touched
  }

  /// Returns the sections in which an item has rows.
  private func currentSections(of id: Item.ID) -> [SectionID] {
    order.hasOccurrences ? sections[id] ?? [] : all.placeAmongAll(of: id).map { [$0.section] } ?? []
  }

  // The edits below cannot fail: each checks first that its rows exist, or do not exist.

  private mutating func remove(_ id: Item.ID, _ oldSections: [SectionID]) {
    keys[id] = nil
    sections[id] = nil
    for section in oldSections {
      try? all.deleteItems([row(of: id, in: section)])
      if all.numberOfAllItems(inSection: section) == 0, !order.isNamed(section) { try? all.deleteSections([section]) }
    }
  }

  private mutating func insert(_ new: Pending, isHidden: Bool) {
    for section in new.sections {
      if all.numberOfAllItems(inSection: section) == nil {
        let sectionKey = order.key(of: section)
        let place = all.sectionPartitionPointAmongAll { order.key(of: $0) > sectionKey }
        try? all.insertSection(section, atIndexAmongAll: place)
      }
      let place = all.partitionPointAmongAll(inSection: section) { id in keys[id.item].map { $0 > new.key } ?? false }
      try? all.insertItem(row(of: new.item.id, in: section), inSection: section, atIndexAmongAll: place, isHidden: isHidden)
    }
    keys[new.item.id] = new.key
    if order.hasOccurrences { sections[new.item.id] = new.sections }
  }

  /// Shows another request of the same contents.
  ///
  /// If the order stays, nothing is sorted. If fewer items can match than before, only the shown
  /// items are tested; if more can, only the hidden ones.
  mutating func show(_ new: FetchRequest, of state: StoreState, filter: ItemFilter) {
    guard new.sort == request.sort, new.section == request.section else {
      self = ResultsIndex(state, request: new, filter: filter)
      return
    }
    let old = self.filter
    let keepsWindow = request.hasWindow && new.hasWindow && request.window.overlaps(new.window)
    request = new
    self.filter = filter
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
  fileprivate mutating func key(of fields: ItemFields, by sort: [ItemSortDescriptor], _ derived: DerivedValues?) -> SortKey {
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
    return finish()
  }
}
