import DiffableSnapshot
package import Files
import HashTreeCollections
package import Query
package import Values

/// One row of a list, with the fields that a consumer receives.
package struct ListRow: Sendable, Hashable {
  package let section: SectionID
  /// The id of the row, which may be that of an occurrence (`Item.ID.section`).
  package let id: Item.ID
  /// The path of the item's file.
  package let path: RelativePath
  /// The fields that the view shows of the item: a map.
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

extension ResultsSnapshot {
  /// Returns a row by its id; nil if the list does not show it. O(log n).
  package func row(_ id: Item.ID) -> ListRow? {
    guard let section = list.sectionIdentifier(containingItem: id), let content = content(of: id) else {
      return nil
    }
    return ListRow(section, id, content)
  }

  /// Returns a row whose place in the list is known.
  func row(_ id: Item.ID, at place: Place<SectionID>) -> ListRow? {
    content(of: id).map { ListRow(place.section, id, $0) }
  }

  /// Calls `body` with each row, in the order of the list. O(n).
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
  /// An update from it compares the stored values with those that the newer list shows, so it
  /// equals an update from the list that was stored. The list has no problems, and no items besides
  /// its rows.
  ///
  /// - Parameters:
  ///   - sections: All sections in order, with their titles.
  ///   - rows: The rows in the order of the list.
  /// - Returns: Nil if a section or an id occurs twice, a row's section is not among `sections`, or
  ///   a row's value is not a map.
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
  /// The stamp of a stored row, whose file is not known.
  fileprivate static let unknown = FileStamp(size: 0, at: FileTime(seconds: 0))
}
