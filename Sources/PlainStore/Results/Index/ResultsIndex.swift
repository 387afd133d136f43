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
/// Invariants: the rows of `all` are the items of `state`, sorted by their keys in each section.
/// `sections` has the same items if an item can have several rows; otherwise it is empty. Keys are
/// made again when they are needed: an edit needs a few, and 100,000 keys need more memory than all
/// else here.
struct ResultsIndex: Sendable {
  var request: FetchRequest
  /// All rows in order: the list before its window.
  var all = Snapshot<SectionID, Item.ID>()
  /// The part of `all` in the window; nil if the request has no window.
  var window: SnapshotWindow<SectionID, Item.ID>?
  /// The texts of the items; nil if they were not searched lately. Its rows are those of `all`,
  /// with the same visibility.
  var corpus: SearchCorpus?
  /// True if the texts of the items did not fit in a corpus.
  var isTooLargeForCorpus = false
  private var sort: [ItemSortDescriptor]
  /// The state that the rows are sorted by.
  private var state: StoreState
  /// The keys of some items of `state`.
  private var keys: [Item.ID: SortKey] = [:]
  /// The sections of each item, if it can have several.
  private var sections: [Item.ID: [SectionID]] = [:]
  var filter: ItemFilter
  let order: SectionOrder

  /// The most keys that are kept from one update to the next.
  private static let maxKeptKeys = 4_096

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
    self.state = state
    sort = request.decidingSort
    order = SectionOrder(request.section)
    arrange(state)
    hide(.all, state)
    cutWindow()
  }

  private mutating func arrange(_ state: StoreState) {
    let arrangement = ItemArrangement(of: state, sort: sort, order: order)
    var lists: [SectionID: [Item.ID]] = [:]
    for name in order.named { lists[name] = [] }
    if order.hasSections {
      for number in arrangement.numbers {
        let id = arrangement.id(of: number)
        let own = arrangement.sections[number]
        if order.hasOccurrences { sections[id] = own }
        for section in own { lists[section, default: []].append(row(of: id, in: section)) }
      }
    } else {
      lists[""] = arrangement.ids
    }
    let sorted = lists.map { (key: order.key(of: $0.key), id: $0.key, items: $0.value) }.sorted { $0.key < $1.key }
    // Row ids are unique and so are sections: both were keys of a dictionary.
    all = (try? Snapshot(sorted.lazy.map { (id: $0.id, items: $0.items) })) ?? Snapshot()
    for name in order.named { try? all.setPinned(true, section: name) }
  }

  private func row(of id: Item.ID, in section: SectionID) -> Item.ID { order.hasOccurrences ? Item.ID(id, in: section) : id }

  /// Updates the list with items that came, went or were read again.
  ///
  /// - Returns: The rows that may be different in the list: they came, went, moved or were read
  ///   again.
  mutating func update(_ ids: Set<Item.ID>, of state: StoreState) -> Set<Item.ID> {
    if keys.count > ResultsIndex.maxKeptKeys { keys = [:] }
    let old = exchange(&self.state, with: state)
    var touched: Set<Item.ID> = []
    touched.reserveCapacity(ids.count)
    // The rows whose place or visibility changed.
    var moved: Set<Item.ID> = []
    if ids.count > corpusUpdateLimit || corpus?.isStale == true { corpus = nil }
    // Rows at a wrong place must be removed before a right place can be searched for.
    var pending: [RefreshedItem.Placement] = []
    for item in RefreshedItem.all(ids, from: old, to: state, sort: sort, order: order, filter: filter) {
      let id = item.id
      let oldSections = currentSections(of: id)
      let oldRows = oldSections.map { row(of: id, in: $0) }
      touched.formUnion(oldRows)
      guard let new = item.new else {
        remove(id, oldSections)
        moved.formUnion(oldRows)
        continue
      }
      if item.oldKey == new.key, oldSections == new.sections {
        for row in oldRows where all.isHidden(row) != new.isHidden {
          try? all.setHidden(new.isHidden, CollectionOfOne(row))
          moved.insert(row)
        }
        updateCorpus(with: new.item, oldRows, isHidden: new.isHidden)
      } else {
        let rows = new.sections.map { row(of: id, in: $0) }
        touched.formUnion(rows)
        remove(id, oldSections)
        keys[id] = new.key
        pending.append(new)
        moved.formUnion(oldRows)
        moved.formUnion(rows)
      }
    }
    var builder = SortKeyBuilder()
    for item in pending { insert(item, &builder) }
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

  private mutating func insert(_ new: RefreshedItem.Placement, _ builder: inout SortKeyBuilder) {
    // Taken out of `self`, which the searches read.
    var keys = exchange(&self.keys, with: [:])
    defer { self.keys = keys }
    for section in new.sections {
      if all.numberOfAllItems(inSection: section) == nil {
        let sectionKey = order.key(of: section)
        let place = all.sectionPartitionPointAmongAll { order.key(of: $0) > sectionKey }
        try? all.insertSection(section, atIndexAmongAll: place)
      }
      let place = all.partitionPointAmongAll(inSection: section) { row in
        let id = row.item
        if let key = keys[id] { return key > new.key }
        guard let item = state.items[id] else { return false }
        let key = builder.key(of: item, in: state, by: sort)
        keys[id] = key
        return key > new.key
      }
      try? all.insertItem(row(of: new.item.id, in: section), inSection: section, atIndexAmongAll: place, isHidden: new.isHidden)
    }
    if order.hasOccurrences { sections[new.item.id] = new.sections }
    updateCorpus(with: new.item, new.sections.map { row(of: new.item.id, in: $0) }, isHidden: new.isHidden)
  }
}
