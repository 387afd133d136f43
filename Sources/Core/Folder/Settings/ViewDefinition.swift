package import Query
package import Values

/// A view as it is written in the settings of a data set or on the command line.
///
/// A part that is not written is nil; `overridden(by:)` puts views on top of each other.
///
/// ```swift
/// let friends = settings.views["friends"] ?? ViewDefinition()
/// var own = ViewDefinition()
/// own.search = "ada"
/// let request = friends.overridden(by: own).request
/// ```
package struct ViewDefinition: Sendable, Hashable {
  /// The sort descriptors, the most important one first.
  package var sort: [ItemSortDescriptor]?
  /// The field that divides the list into sections; descending if it is written with a leading `-`.
  package var section: ItemSortDescriptor?
  /// The sections that come first, even if they are empty.
  package var sectionOrder: [SectionID]?
  /// The titles of sections.
  package var sectionTitles: [SectionID: String]?
  /// The condition that an item must meet.
  package var predicate: ItemPredicate?
  /// The search text. Each of its words must be in the item.
  package var search: String?
  /// The fields that `search` searches.
  package var searchFields: [FieldPath]?
  /// The fields that the list shows.
  package var fields: [FieldPath]?
  /// The maximum number of items.
  package var limit: Int?
  /// The number of items to skip at the start of the list.
  package var offset: Int?
  /// The sentence to show to a person while the list is empty.
  package var emptyText: String?

  /// Creates a view in which nothing is written.
  package init() {}

  /// Returns this view with each part that `other` has replaced by that part.
  package func overridden(by other: ViewDefinition) -> ViewDefinition {
    var view = self
    view.sort = other.sort ?? sort
    view.section = other.section ?? section
    view.sectionOrder = other.sectionOrder ?? sectionOrder
    view.sectionTitles = other.sectionTitles ?? sectionTitles
    view.predicate = other.predicate ?? predicate
    view.search = other.search ?? search
    view.searchFields = other.searchFields ?? searchFields
    view.fields = other.fields ?? fields
    view.limit = other.limit ?? limit
    view.offset = other.offset ?? offset
    view.emptyText = other.emptyText ?? emptyText
    return view
  }

  /// Returns this view with the parts that `written` has under the keys of the settings; null removes a
  /// part. Throws a ``SettingsError`` with the key of a malformed part.
  package func changed(by written: Fields) throws(SettingsError) -> ViewDefinition {
    try ViewDefinition.checkNulls(in: written)
    var changes: Fields = [:]
    var view = self
    for (key, value) in written {
      if value == .null { try view.remove(key) } else { changes[key] = value }
    }
    return view.overridden(by: try ViewDefinition(changes))
  }

  private mutating func remove(_ key: String) throws(SettingsError) {
    switch key {
    case "sort": sort = nil
    case "nulls": break  // It is part of the descriptors of `sort`, which is beside it.
    case "section": section = nil
    case "section-order": sectionOrder = nil
    case "section-titles": sectionTitles = nil
    case "where": predicate = nil
    case "search": search = nil
    case "search-fields": searchFields = nil
    case "fields": fields = nil
    case "limit": limit = nil
    case "offset": offset = nil
    case "empty": emptyText = nil
    default: throw SettingsError([key], SettingReader.unknownKey(key, among: ViewDefinition.keys))
    }
  }

  /// The request for a store that this view describes. Section order and titles need a section.
  package var request: FetchRequest {
    let section = section.flatMap { field in
      field.path.map {
        SectionDescriptor(
          $0, descending: field.isDescending, order: sectionOrder ?? [], titles: sectionTitles ?? [:])
      }
    }
    return FetchRequest(
      sort: sort ?? [], section: section, predicate: predicate, search: search ?? "",
      searchFields: searchFields ?? [],
      fields: fields ?? [],
      limit: limit, offset: offset ?? 0, emptyText: emptyText)
  }

  package var written: Fields {
    var written: Fields = [:]
    func list(_ elements: [some CustomStringConvertible]?) -> Value? {
      elements.map { .list($0.map { .string($0.description) }) }
    }
    written["sort"] = list(sort)
    written["section"] = (section?.description).map(Value.string)
    written["section-order"] = list(sectionOrder)
    written["section-titles"] = sectionTitles.map { titles in
      .map(Fields(unique: titles.map { ($0.key.description, .string($0.value)) }.sorted { $0.key < $1.key }))
    }
    written["where"] = (predicate?.description).map(Value.string)
    written["search"] = search.map(Value.string)
    written["search-fields"] = list(searchFields)
    written["fields"] = list(fields)
    written["limit"] = limit.map { .integer($0) }
    written["offset"] = offset.map { .integer($0) }
    written["empty"] = emptyText.map(Value.string)
    return written
  }
}
