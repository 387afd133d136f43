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
  /// Returns this view with each part in which a request differs from its own, for the settings. What is typed
  /// into a search is not kept.
  package func showing(_ request: FetchRequest) -> ViewDefinition {
    let own = self.request
    var view = self
    if request.ownSort != own.ownSort {
      view.sort = (sort?.first?.isRelevance == true ? [.relevance] : []) + request.ownSort
    }
    if request.section != own.section {
      // The settings have no word for sections by letter or by element.
      let section = request.section.flatMap { $0.grouping == .value ? $0 : nil }
      view.section = section.flatMap { section in
        section.path.map { ItemSortDescriptor($0, descending: section.isDescending) }
      }
      view.sectionOrder = section.flatMap { $0.order.isEmpty ? nil : $0.order }
      view.sectionTitles = section.flatMap { $0.titles.isEmpty ? nil : $0.titles }
    }
    if request.predicate != own.predicate { view.predicate = request.predicate }
    if request.searchFields != own.searchFields { view.searchFields = request.searchFields }
    if request.fields != own.fields { view.fields = request.fields.isEmpty ? nil : request.fields }
    if request.widths != own.widths { view.widths = request.widths.isEmpty ? nil : request.widths }
    if request.limit != own.limit { view.limit = request.limit }
    if request.offset != own.offset { view.offset = request.offset }
    if request.emptyText != own.emptyText { view.emptyText = request.emptyText }
    return view
  }
}

extension ViewDefinition {
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
