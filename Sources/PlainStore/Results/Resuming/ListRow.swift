import DiffableSnapshot
package import DirectoryWatch
import HashTreeCollections
import LinuxFiles
package import PlainText

/// One row of a list with what a consumer sees of it.
package struct ListRow: Sendable, Hashable {
  /// The section of the row.
  package let section: SectionID
  /// The id of the row, which may be that of an occurrence (`Item.ID.section`).
  package let id: Item.ID
  /// The path of the item's file.
  package let path: RelativePath
  /// The fields that the view shows of the item: a map.
  package let value: PackedValue

  /// Creates a row.
  package init(section: SectionID, id: Item.ID, path: RelativePath, value: PackedValue) {
    self.section = section
    self.id = id
    self.path = path
    self.value = value
  }
}

extension ResultsSnapshot {
  /// Returns a row by its id; nil if the list does not show it. O(log n).
  package func row(_ id: Item.ID) -> ListRow? {
    guard let place = list.place(of: id), let item = items[id.item] else { return nil }
    return ListRow(section: place.section, id: id, path: item.path, value: shownValue(of: item))
  }

  /// Calls `body` with each row, in the order of the list. O(n).
  package func forEachRow(_ body: (ListRow) throws -> Void) rethrows {
    for section in list.sectionIdentifiers {
      for id in list.items(inSection: section) {
        guard let item = items[id.item] else { continue }
        try body(ListRow(section: section, id: id, path: item.path, value: shownValue(of: item)))
      }
    }
  }

  private func shownValue(of item: Item) -> PackedValue {
    request.fields.isEmpty ? item.fields : PackedValue(.map(item.projected(request.fields)))
  }

  /// All sections in order, with their titles.
  package var sectionTitles: [(id: SectionID, title: String?)] { list.sectionIdentifiers.map { ($0, title(of: $0)) } }

  /// Makes a list of rows that were stored. Its updates compare the stored values with those that
  /// the newer list shows.
  ///
  /// - Parameters:
  ///   - sections: All sections in order, with their titles.
  ///   - rows: The rows in the order of the list.
  ///   - request: The request of the list.
  /// - Returns: Nil if an id occurs twice or a section is unknown.
  package init?(restoring sections: [(id: SectionID, title: String?)], rows: [ListRow], request: FetchRequest) {
    var members: [SectionID: [Item.ID]] = [:]
    for section in sections { members[section.id] = [] }
    var items: TreeDictionary<Item.ID, Item> = [:]
    for row in rows {
      guard members[row.section] != nil else { return nil }
      members[row.section]?.append(row.id)
      items[row.id.item] = Item(id: row.id.item, path: row.path, stamp: FileStamp(size: 0, at: FileTime(seconds: 0)), fields: row.value)
    }
    guard let list = try? Snapshot(sections.map { (id: $0.id, items: members[$0.id] ?? []) }) else { return nil }
    self.init(request: request, list: list, items: items, problems: [:])
  }
}
