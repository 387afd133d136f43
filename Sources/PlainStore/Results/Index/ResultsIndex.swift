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
/// While its search text changes, it has a corpus of the items' texts (`ResultsIndex+Searching`).
///
/// Invariants: the rows of `all` are sorted by `keys` in each section. `keys` has the items that
/// have rows. `sections` has the same items if an item can have several rows; otherwise it is
/// empty.
struct ResultsIndex: Sendable {
  var request: FetchRequest
  /// All rows in order: the list before its window.
  var all = Snapshot<SectionID, Item.ID>()
  /// The part of `all` in the window; nil if the request has no window.
  var window: SnapshotWindow<SectionID, Item.ID>?
  /// The texts of the items; nil if they were not searched lately. Its rows are those of `all`, with
  /// the same visibility.
  var corpus: SearchCorpus?
  /// True if the texts of the items did not fit in a corpus.
  var isTooLargeForCorpus = false
  private var sort: [ItemSortDescriptor]
  private var keys: [Item.ID: SortKey] = [:]
  /// The sections of each item, if it can have several.
  private var sections: [Item.ID: [SectionID]] = [:]
  var filter: ItemFilter
  let order: SectionOrder

  /// The list to publish.
  var shown: Snapshot<SectionID, Item.ID> { window?.list ?? all }

  /// The number of rows that match, in the window or not.
  var totalCount: Int { all.numberOfItems }

  /// The number of rows from which on a list that is searched has a corpus.
  let minCorpusItems: Int

  /// Sorts everything: O(n log n).
  init(_ state: StoreState, request: FetchRequest, filter: ItemFilter, minCorpusItems: Int = SearchCorpus.minItems) {
    self.request = request
    self.minCorpusItems = minCorpusItems
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
    if ids.count > corpusUpdateLimit || corpus?.isStale == true { corpus = nil }
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
        updateCorpus(with: item, rows, isHidden: isHidden)
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
    updateCorpus(with: new.item, new.sections.map { row(of: new.item.id, in: $0) }, isHidden: isHidden)
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
