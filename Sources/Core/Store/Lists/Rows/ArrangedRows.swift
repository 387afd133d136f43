import HashTreeCollections

/// The rows of all items of a state in order, all of them shown: the part of a list that does not depend on
/// its filter and its window. It stays in order while items change, in O(k log n) for k changes.
///
/// A row is an item in a section. In most lists an item has one row, with its own id. If each
/// element of a list field makes a section, an item has a row for each of them, whose id carries
/// the section (`Item.ID.init(_:in:)`).
///
/// Invariants: the rows are those of the items of `state`, sorted by their keys in each section. `sections`
/// has the same items if an item can have several rows; otherwise it is empty. Keys are made again when they
/// are needed: an edit needs a few, and 100,000 keys need more memory than all else here.
struct ArrangedRows {
  let order: RowOrder
  private(set) var state: StoreState
  private(set) var rows = Snapshot<SectionID, Item.ID>()
  private var sections = TreeDictionary<Item.ID, [SectionID]>()
  /// The number of these rows, which no others have. It changes if an item changes.
  private(set) var serial = SharedList.nextRevision()

  /// The most keys that are kept from one update to the next.
  private static let maxKeptKeys = 4_096

  init(_ state: StoreState, _ order: RowOrder) {
    self.state = state
    self.order = order
    let arrangement = ItemArrangement(of: state, sort: order.sort, order: order.sections)
    var lists: [SectionID: [Item.ID]] = [:]
    for name in order.sections.named { lists[name] = [] }
    if order.sections.hasSections {
      for number in arrangement.numbers {
        let id = arrangement.id(of: number)
        let own = arrangement.sections[number]
        if order.sections.hasOccurrences { sections[id] = own }
        for section in own { lists[section, default: []].append(row(of: id, in: section)) }
      }
    } else {
      lists[""] = arrangement.ids
    }
    rows = order.sections.list(of: lists)
    for name in order.sections.named { try? rows.setPinned(true, section: name) }
  }

  private func row(of id: Item.ID, in section: SectionID) -> Item.ID {
    order.sections.hasOccurrences ? Item.ID(id, in: section) : id
  }

  private func currentSections(of id: Item.ID) -> [SectionID] {
    order.sections.hasOccurrences ? sections[id] ?? [] : rows.placeAmongAll(of: id).map { [$0.section] } ?? []
  }

  fileprivate func currentRows(of id: Item.ID) -> [RowsStep.Row] {
    numbered(currentSections(of: id).map { row(of: id, in: $0) })
  }

  private func numbered(_ ids: [Item.ID]) -> [RowsStep.Row] {
    ids.compactMap { id in rows.itemNumber(of: id).map { RowsStep.Row(id: id, number: $0) } }
  }

  /// Updates the rows of items that were added, removed or read again.
  ///
  /// - Parameter keys: The keys of some items of the old state; later those of some items of the new one.
  /// - Returns: The changes, one for each item in the order of `ids`.
  mutating func update(_ ids: [Item.ID], to state: StoreState, _ keys: inout [Item.ID: SortKey]) -> RowsStep {
    if keys.count > ArrangedRows.maxKeptKeys { keys = [:] }
    let old = exchange(&self.state, with: state)
    let oldSerial = serial
    if ids.isEmpty { return RowsStep(from: oldSerial, to: self, []) }
    serial = SharedList.nextRevision()
    // Rows at a wrong place must be removed before a right place can be searched for.
    var pending: [(number: Int, placement: RefreshedItem.Placement)] = []
    var entries: [RowsStep.Entry] = []
    entries.reserveCapacity(ids.count)
    for (number, item) in RefreshedItem.all(ids, from: old, to: state, order).enumerated() {
      let oldSections = currentSections(of: item.id)
      let oldRows = numbered(oldSections.map { row(of: item.id, in: $0) })
      if let new = item.new, item.oldKey == new.key, oldSections == new.sections {
        entries.append(RowsStep.Entry(item: new.item, old: oldRows, new: oldRows, isPlaced: false))
      } else {
        remove(item.id, oldSections, &keys)
        entries.append(RowsStep.Entry(item: item.new?.item, old: oldRows, new: [], isPlaced: true))
        if let new = item.new {
          keys[item.id] = new.key
          pending.append((number, new))
        }
      }
    }
    var builder = SortKeyBuilder()
    for (_, new) in pending { insert(new, &keys, &builder) }
    for (number, new) in pending {
      entries[number].new = numbered(new.sections.map { row(of: new.item.id, in: $0) })
    }
    return RowsStep(from: oldSerial, to: self, entries)
  }

  // The edits below cannot fail: each checks first that its rows exist, or do not exist.

  private mutating func remove(_ id: Item.ID, _ oldSections: [SectionID], _ keys: inout [Item.ID: SortKey]) {
    keys[id] = nil
    if order.sections.hasOccurrences { sections[id] = nil }
    for section in oldSections {
      try? rows.deleteItems([row(of: id, in: section)])
      if rows.numberOfAllItems(inSection: section) == 0, !order.sections.isNamed(section) {
        try? rows.deleteSections([section])
      }
    }
  }

  private mutating func insert(
    _ new: RefreshedItem.Placement, _ keys: inout [Item.ID: SortKey], _ builder: inout SortKeyBuilder
  ) {
    for section in new.sections {
      if rows.numberOfAllItems(inSection: section) == nil {
        let sectionKey = order.sections.key(of: section)
        let place = rows.sectionPartitionPointAmongAll { order.sections.key(of: $0) > sectionKey }
        try? rows.insertSection(section, atIndexAmongAll: place)
      }
      let place = rows.partitionPointAmongAll(inSection: section) { row in
        let id = row.item
        if let key = keys[id] { return key > new.key }
        guard let item = state.items[id] else { return false }
        let key = builder.key(of: item, in: state, by: order.sort)
        keys[id] = key
        return key > new.key
      }
      try? rows.insertItem(row(of: new.item.id, in: section), inSection: section, atIndexAmongAll: place)
    }
    if order.sections.hasOccurrences { sections[new.item.id] = new.sections }
  }
}

extension SectionOrder {
  func list(of sections: [SectionID: [Item.ID]]) -> Snapshot<SectionID, Item.ID> {
    let sorted = sections.map { (key: key(of: $0.key), id: $0.key, items: $0.value) }.sorted {
      $0.key < $1.key
    }
    // Row ids are unique and so are sections: both were keys of a dictionary.
    return (try? Snapshot(sorted.lazy.map { (id: $0.id, items: $0.items) })) ?? Snapshot()
  }
}

extension RowsStep {
  /// Returns the step between two arrangements, the newer of which was made of the older one.
  ///
  /// - Parameter ids: The items that may differ. Each of their rows counts as placed.
  init(from old: ArrangedRows, to new: ArrangedRows, _ ids: [Item.ID]) {
    self.init(
      from: old.serial, to: new,
      ids.map { id in
        Entry(
          item: new.state.items[id], old: old.currentRows(of: id), new: new.currentRows(of: id),
          isPlaced: true)
      })
  }
}

/// The order of rows: what lists must agree on to share their rows. Titles of sections do not count.
struct RowOrder: Hashable {
  /// The sort descriptors that decide, down to the ids.
  let sort: [ItemSortDescriptor]
  let sections: SectionOrder
  private let section: SectionDescriptor?

  init(_ request: FetchRequest) {
    sort = request.decidingSort
    sections = SectionOrder(request.section)
    var section = request.section
    section?.titles = [:]
    self.section = section
  }

  static func == (a: RowOrder, b: RowOrder) -> Bool { a.sort == b.sort && a.section == b.section }

  func hash(into hasher: inout Hasher) {
    hasher.combine(sort)
    hasher.combine(section)
  }
}

/// An item that was added, removed or read again, with what a list needs to place its rows.
struct RefreshedItem {
  let id: Item.ID
  let new: Placement?
  /// The key that the list is sorted by so far; nil if the item is new.
  let oldKey: SortKey?

  struct Placement {
    let item: Item
    let key: SortKey
    let sections: [SectionID]
  }

  private static let itemsAtOnce = 256

  /// Compares some items of two states, on several threads if there are many. Keeps their order.
  static func all(_ ids: [Item.ID], from old: StoreState, to state: StoreState, _ order: RowOrder)
    -> [RefreshedItem]
  {
    let parts = ParallelWork.map(ids.count, by: itemsAtOnce) { range in
      var builder = SortKeyBuilder()
      return ids[range].map { id in
        let new = state.items[id].map { item in
          Placement(
            item: item, key: builder.key(of: item, in: state, by: order.sort),
            sections: order.sections.sectionIDs(of: state.fields(of: item), state.derived?[id]))
        }
        return RefreshedItem(
          id: id, new: new, oldKey: old.items[id].map { builder.key(of: $0, in: old, by: order.sort) })
      }
    }
    return parts.flatMap { $0 }
  }
}
