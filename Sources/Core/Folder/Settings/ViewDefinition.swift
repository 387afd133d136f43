package import Query
package import Values

/// A view as it is written in the settings of a data set or on the command line.
///
/// A part that is not written is nil; `overridden(by:)` puts views on top of each other.
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
  /// The search with a grammar. A view has this or `search`.
  package var query: SearchQuery?
  /// The fields that the words of `search` or `query` are searched in.
  package var searchFields: [FieldPath]?
  /// The fields that the list shows.
  package var fields: [FieldPath]?
  /// The widths of columns in characters, from 1 to `maxWidth`.
  package var widths: [FieldPath: Int]?
  /// The maximum number of items.
  package var limit: Int?
  /// The number of items to skip at the start of the list.
  package var offset: Int?
  /// The sentence to show to a person while the list is empty.
  package var emptyText: String?

  package static let maxWidth = 500

  /// Creates a view in which nothing is written.
  package init() {}

  /// Returns the view, unless it sorts by relevance without a search.
  package func checked() throws(SettingsError) -> ViewDefinition {
    let searches = query != nil || search?.contains { !$0.isWhitespace } == true
    if searches || sort?.first?.isRelevance != true { return self }
    throw SettingsError(
      ["sort"],
      "`@relevance` puts the best matches of a search first, and this view has no search. "
        + "Add a search, or sort by a field.",
      isMismatch: true)
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
    written["query"] = query.map { .string($0.text) }
    written["search-fields"] = list(searchFields)
    written["fields"] = list(fields)
    written["widths"] = widths.map { widths in
      .map(Fields(unique: widths.map { ($0.key.description, .integer($0.value)) }.sorted { $0.0 < $1.0 }))
    }
    written["limit"] = limit.map { .integer($0) }
    written["offset"] = offset.map { .integer($0) }
    written["empty"] = emptyText.map(Value.string)
    return written
  }
}
