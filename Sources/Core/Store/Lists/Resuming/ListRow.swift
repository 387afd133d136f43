import HashTreeCollections
package import Query

/// One row of a list, with the fields that a consumer receives.
package struct ListRow: Hashable {
  package let section: SectionID
  /// The id of the row, which may be that of an occurrence (`Item.ID.section`).
  package let id: Item.ID
  package let path: RelativePath
  package let value: PackedValue

  package init(section: SectionID, id: Item.ID, path: RelativePath, value: PackedValue) {
    self.section = section
    self.id = id
    self.path = path
    self.value = value
  }

  fileprivate init(_ section: SectionID, _ id: Item.ID, _ content: RowContent) {
    self.init(section: section, id: id, path: content.item.path, value: content.value)
  }
}

extension ListSnapshot {
  package func row(_ id: Item.ID) -> ListRow? {
    guard let section = list.sectionIdentifier(containingItem: id), let content = content(of: id) else {
      return nil
    }
    return ListRow(section, id, content)
  }

  func row(_ id: Item.ID, at place: Place<SectionID>) -> ListRow? {
    content(of: id).map { ListRow(place.section, id, $0) }
  }

  package func forEachRow(_ body: (ListRow) throws -> Void) rethrows {
    for section in list.sectionIdentifiers {
      for id in list.items(inSection: section) {
        if let content = content(of: id) { try body(ListRow(section, id, content)) }
      }
    }
  }

  package var sectionTitles: [(id: SectionID, title: String?)] {
    let titles = titles
    return list.sectionIdentifiers.map { ($0, titles[$0]) }
  }

  /// Makes a list of rows that were stored.
  ///
  /// An update from it compares the stored values with those that the newer list shows, so it equals an
  /// update from the list that was stored. The list has no problems, and no items besides its rows.
  ///
  /// - Returns: Nil if a section or an id occurs twice, a row's section is not among `sections`, or a row's
  ///   value is not a map.
  package init?(restoring sections: [(id: SectionID, title: String?)], rows: [ListRow], request: FetchRequest)
  {
    var members = Dictionary(sections.map { ($0.id, [] as [Item.ID]) }) { first, _ in first }
    var kept: TreeDictionary<Item.ID, Item> = [:]
    for row in rows {
      guard row.value.isMap, members[row.section]?.append(row.id) != nil else { return nil }
      kept[row.id] = Item(id: row.id.item, path: row.path, stamp: .unknown, fields: row.value)
    }
    guard let list = try? Snapshot(sections.map { (id: $0.id, items: members[$0.id] ?? []) }) else {
      return nil
    }
    let titles = sections.compactMap { section in section.title.map { (section.id, $0) } }
    self.init(request: request, list: list, items: [:], problems: [:])
    self.kept = KeptRows(rows: kept, titles: Dictionary(uniqueKeysWithValues: titles))
  }
}

extension FileStamp {
  fileprivate static let unknown = FileStamp(size: 0, at: FileTime(seconds: 0))
}

/// The rows and titles that a list shows instead of those of its items and its request.
///
/// A list that was stored keeps all its rows, with the values as they were shown. A partial list,
/// to which only some changes on the way to a newer list were applied, has the items of the newer
/// list and keeps the rows whose changes are still missing.
struct KeptRows {
  let number = SharedList.nextRevision()
  /// The kept rows, by their ids. The fields of each item are exactly those that the list shows.
  let rows: TreeDictionary<Item.ID, Item>
  /// The titles of the sections; nil if they are those of the request.
  let titles: [SectionID: String]?
}

extension ListSnapshot {
  func content(of id: Item.ID) -> RowContent? {
    if let item = kept?.rows[id] { return RowContent(item: item, fields: []) }
    return items[id.item].map { RowContent(item: $0, fields: request.fields) }
  }

  /// True if the list may differ from what its request shows of any state of the store: only some changes
  /// were applied to it, or it was stored. Its rows may have another order than the request.
  package var isPartial: Bool { kept != nil }

  /// The number of the list, which no other list has; 0 for a list that was neither live nor stored.
  var number: Int { kept?.number ?? revision }

  /// Returns true if both values are known to be the same list.
  package func isSame(as other: ListSnapshot<some Sendable>) -> Bool { number != 0 && number == other.number }

  /// Returns true if this list is a partial one on the way to another list.
  func isPart(of other: ListSnapshot) -> Bool {
    kept != nil && revision != 0 && revision == other.revision
  }
}

struct RowContent {
  let item: Item
  /// The fields that the list shows of the item; empty for all.
  let fields: [FieldPath]

  /// The map of the shown fields. Nothing is unpacked if the list shows all fields.
  var value: PackedValue { fields.isEmpty ? item.fields : PackedValue(.map(item.projected(fields))) }

  var projected: Item {
    fields.isEmpty ? item : Item(id: item.id, path: item.path, stamp: item.stamp, fields: value)
  }

  func isIdentical(to other: RowContent) -> Bool { item === other.item && fields == other.fields }

  /// Returns the changes from this content to `new`. A moved file counts as a change of `@path`.
  func changes(to new: RowContent) -> FieldChanges {
    item.changes(showing: fields, to: new.item, showing: new.fields)
  }
}

extension ListSnapshot {
  /// The empty list of the same view. An update from it inserts everything.
  package var emptied: ListSnapshot {
    // A single section has no duplicates, so this does not fail.
    let list =
      request.section == nil ? try? Snapshot<SectionID, Item.ID>([(id: SectionID(""), items: [])]) : nil
    var snapshot = ListSnapshot(request: request, list: list ?? Snapshot(), items: [:], problems: [:])
    // An identity, so that an update from it is recognized.
    snapshot.kept = KeptRows(rows: [:], titles: nil)
    return snapshot
  }

  /// The list without problems, as it is read from a state: a consumer that resumes gets all of them.
  package var withoutProblems: ListSnapshot {
    var snapshot = self
    snapshot.problemsByPath = [:]
    return snapshot
  }
}
