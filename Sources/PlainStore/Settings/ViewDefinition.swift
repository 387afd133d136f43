public import PlainText

/// A view as it is written down: in a data set's settings, or on the command line. What it does not say is nil and is left to a view below it.
///
/// ```swift
/// let friends = settings.views["friends"] ?? ViewDefinition()
/// var own = ViewDefinition()
/// own.search = "ada"
/// let request = friends.overridden(by: own).request
/// ```
public struct ViewDefinition: Sendable, Hashable {
  public var sort: [ItemSortDescriptor]?
  /// With a leading `-` in writing: from the last section to the first.
  public var section: ItemSortDescriptor?
  public var sectionOrder: [SectionID]?
  public var sectionTitles: [SectionID: String]?
  public var predicate: ItemPredicate?
  public var search: String?
  public var searchFields: [FieldPath]?
  public var fields: [FieldPath]?
  public var limit: Int?
  public var offset: Int?
  public var emptyText: String?

  public init() {}

  /// This view, with everything that the other one says put in its place.
  public func overridden(by other: ViewDefinition) -> ViewDefinition {
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

  /// This view with parts of it changed, as they are written under the keys of the settings; null takes a part back out of it.
  ///
  /// - Throws: what is wrong with a part, with its key; then nothing is changed.
  package func changed(by written: Fields) throws(SettingsError) -> ViewDefinition {
    var said: Fields = [:]
    var view = self
    for (key, value) in written {
      if value == .null { try view.takeBack(key) } else { said[key] = value }
    }
    return view.overridden(by: try ViewDefinition(said))
  }

  private mutating func takeBack(_ key: String) throws(SettingsError) {
    switch key {
    case "sort": sort = nil
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

  /// What it asks of a store. A section order without a section says nothing.
  public var request: FetchRequest {
    let section = section.map {
      SectionDescriptor($0.path, descending: $0.isDescending, order: sectionOrder ?? [], titles: sectionTitles ?? [:])
    }
    return FetchRequest(
      sort: sort ?? [], section: section, predicate: predicate, search: search ?? "", searchFields: searchFields ?? [],
      fields: fields ?? [],
      limit: limit, offset: offset ?? 0, emptyText: emptyText)
  }

  /// The view as settings would have it: what it says, under the same keys.
  package var written: Fields {
    var written: Fields = [:]
    func list(_ elements: [some CustomStringConvertible]?) -> Value? { elements.map { .list($0.map { .string($0.description) }) } }
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
    written["limit"] = limit.map { .number(.integer($0)) }
    written["offset"] = offset.map { .number(.integer($0)) }
    written["empty"] = emptyText.map(Value.string)
    return written
  }
}
