package import HashTreeCollections

/// The rows and titles that a list shows instead of those of its items and its request.
///
/// A list that was stored keeps all its rows, with the values as they were shown. A partial list,
/// to which only some changes on the way to a newer list were applied, has the items of the newer
/// list and keeps the rows whose changes are still missing.
package struct KeptRows {
  package let number = SharedList.nextRevision()
  /// The kept rows, by their ids. The fields of each item are exactly those that the list shows.
  package let rows: TreeDictionary<Item.ID, Item>
  /// The titles of the sections; nil if they are those of the request.
  package let titles: [SectionID: String]?

  package init(rows: TreeDictionary<Item.ID, Item>, titles: [SectionID: String]?) {
    self.rows = rows
    self.titles = titles
  }
}

package struct RowContent {
  package let item: Item
  /// The fields that the list shows of the item; empty for all.
  package let fields: [FieldPath]

  func isIdentical(to other: RowContent) -> Bool { item === other.item && fields == other.fields }

  /// Returns the changes from this content to `new`. A moved file counts as a change of `@path`.
  package func changes(to new: RowContent) -> FieldChanges {
    item.changes(showing: fields, to: new.item, showing: new.fields)
  }
}

extension ListSnapshot {
  package func content(of id: Item.ID) -> RowContent? {
    if let item = kept?.rows[id] { return RowContent(item: item, fields: []) }
    return items[id.item].map { RowContent(item: $0, fields: request.fields) }
  }

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
}
