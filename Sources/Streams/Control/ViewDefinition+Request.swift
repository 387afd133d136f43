package import Store

/// The request of a view, of which other views replace parts.
///
/// ```swift
/// let friends = settings.views["friends"] ?? ViewDefinition()
/// var own = ViewDefinition()
/// own.search = "ada"
/// let request = friends.overridden(by: own).request
/// ```
extension ViewDefinition {
  /// Returns this view with each part that `other` has replaced by that part. If it sorts by relevance alone,
  /// the order of this view breaks ties.
  package func overridden(by other: ViewDefinition) -> ViewDefinition {
    var view = self
    view.sort =
      other.sort == [.relevance] ? [.relevance] + (sort ?? []).filter { !$0.isRelevance } : other.sort ?? sort
    view.section = other.section ?? section
    view.sectionOrder = other.sectionOrder ?? sectionOrder
    view.sectionTitles = other.sectionTitles ?? sectionTitles
    view.predicate = other.predicate ?? predicate
    if other.search != nil || other.query != nil { (view.search, view.query) = (other.search, other.query) }
    view.searchFields = other.searchFields ?? searchFields
    view.fields = other.fields ?? fields
    view.widths = other.widths ?? widths
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
    case "query": query = nil
    case "search-fields": searchFields = nil
    case "fields": fields = nil
    case "widths": widths = nil
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
      query: query, searchFields: searchFields ?? [],
      fields: fields ?? [], widths: widths ?? [:],
      limit: limit, offset: offset ?? 0, emptyText: emptyText)
  }
}

extension ViewDefinition {
  /// Creates the view that shows what a request does, for the settings. What is typed into a search is not
  /// kept: `base` is the view with the search to keep, if there is one.
  package init(showing request: FetchRequest, searchingAs base: ViewDefinition?) {
    self.init()
    func some<Part: Collection>(_ part: Part) -> Part? { part.isEmpty ? nil : part }
    sort = some((base?.sort?.first?.isRelevance == true ? [.relevance] : []) + request.ownSort)
    // The settings have no word for sections by letter or by element.
    if let section = request.section, let path = section.path, section.grouping == .value {
      self.section = ItemSortDescriptor(path, descending: section.isDescending)
      sectionOrder = some(section.order)
      sectionTitles = some(section.titles)
    }
    predicate = request.predicate
    (search, query) = (base?.search, base?.query)
    searchFields = some(request.searchFields)
    fields = some(request.fields)
    widths = some(request.widths)
    limit = request.limit
    offset = request.offset > 0 ? request.offset : nil
    emptyText = request.emptyText
  }

  /// Returns the message of a command with the options of this view, which refuses it because of one of some
  /// strings; nil if they are not of its own parts.
  package func refusal(of strings: [UnquotedString]) -> String? {
    strings.first { $0.isInQuery ? query != nil : predicate != nil }.map {
      "--\($0.isInQuery ? "query" : "where"): \($0.error.message)"
    }
  }
}

extension Settings {
  /// Returns the view of a name.
  ///
  /// - Throws: A ``SettingsError`` that lists the views if there is none of this name, or says why
  ///   the view cannot be read.
  package func view(named name: String) throws(SettingsError) -> ViewDefinition {
    if let view = views[name] { return view }
    if let error = viewErrors.first(where: { Settings.viewName(of: $0).hasSameBytes(as: name) }) {
      throw error
    }
    let known = views.keys.sorted()
    if known.isEmpty {
      throw SettingsError(
        ["views"], "There is no view `\(name)`: the .notes-watch.yaml of the data set defines no views.")
    }
    let nearest = known.nearest(to: name).map { " Did you mean `\($0)`?" } ?? ""
    throw SettingsError(
      ["views"], "There is no view `\(name)`.\(nearest) The views are \(Settings.list(known)).")
  }

  /// Returns the names as a list for a message: at most 50, and the number of the others.
  private static func list(_ names: [String]) -> String {
    let max = 50
    return names.prefix(max).joined(separator: ", ")
      + (names.count > max ? " and \(names.count - max) more" : "")
  }
}
