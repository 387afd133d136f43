import HashTreeCollections
package import Store

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

  /// The list without problems, as it is read from a state: a consumer that resumes gets all of them.
  package var withoutProblems: ListSnapshot {
    var snapshot = self
    snapshot.problemsByPath = [:]
    return snapshot
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

extension FileStamp {
  fileprivate static let unknown = FileStamp(size: 0, at: FileTime(seconds: 0))
}

extension RowContent {
  /// The map of the shown fields. Nothing is unpacked if the list shows all fields.
  var value: PackedValue { fields.isEmpty ? item.fields : PackedValue(.map(item.projected(fields))) }

  var projected: Item {
    fields.isEmpty ? item : Item(id: item.id, path: item.path, stamp: item.stamp, fields: value)
  }
}
