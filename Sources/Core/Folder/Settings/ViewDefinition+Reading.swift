import Files
package import Query
package import Values

extension ViewDefinition {
  package static let keys = [
    "sort", "nulls", "section", "section-order", "section-titles", "where", "search", "query",
    "search-fields", "fields", "widths", "limit", "offset", "empty",
  ]

  /// Reads a view from a map with the keys of the settings. Errors contain `place`, the keys that
  /// lead to the map.
  package init(_ written: Fields, at place: [String] = []) throws(SettingsError) {
    self.init()
    var nullsFirst = false
    for (key, value) in written {
      let reader = SettingReader(value, place + [key])
      switch key {
      case "sort":
        sort = try reader.pathTexts(atMost: 100).map { text throws(SettingsError) in try reader.sort(text) }
      case "nulls": nullsFirst = try reader.isFirst()
      case "section": section = try reader.section()
      case "section-order": sectionOrder = try reader.sectionIDs()
      case "section-titles": sectionTitles = try reader.titles()
      case "where": predicate = try reader.predicate()
      case "search": search = try reader.text()
      case "query": query = try reader.query()
      case "search-fields": searchFields = try reader.paths(atMost: 1_000)
      case "fields": fields = try reader.paths(atMost: 1_000)
      case "widths": widths = try reader.widths()
      case "limit": limit = try reader.count()
      case "offset": offset = try reader.count()
      case "empty": emptyText = try reader.text()
      default: throw SettingsError(place + [key], SettingReader.unknownKey(key, among: ViewDefinition.keys))
      }
    }
    try ViewDefinition.checkNulls(in: written, at: place)
    if let sort, sort.contains(where: \.isRelevance),
      sort.first != .relevance || sort.dropFirst().contains(where: \.isRelevance)
    {
      throw SettingsError(
        place + ["sort"],
        "`@relevance` puts the best matches first, so it comes first and has no sign. Further fields break ties: @relevance,name"
      )
    }
    if search != nil, query != nil {
      throw SettingsError(place + ["query"], "A view has `search` or `query`. Remove one of them.")
    }
    if nullsFirst { sort = sort?.map { $0.isRelevance ? $0 : $0.puttingNullsFirst() } }
  }

  package static func checkNulls(in written: Fields, at place: [String] = []) throws(SettingsError) {
    guard written["nulls"] != nil, written["sort"] == nil else { return }
    throw SettingsError(
      place + ["nulls"], "`nulls` says where `sort` puts items without a value. Write `sort` beside it.")
  }
}

/// A reader of one value of the settings. Its errors contain the place of the value.
package struct SettingReader {
  let value: Value
  let place: [String]

  package init(_ value: Value, _ place: [String]) {
    self.value = value
    self.place = place
  }

  func text() throws(SettingsError) -> String {
    guard value.isScalar, value != .null else {
      throw SettingsError(place, "Expected a string, found \(value.kindName).")
    }
    return value.text
  }

  /// Reads ids of sections like `texts()`. A number names the section of its value.
  func sectionIDs() throws(SettingsError) -> [SectionID] {
    guard case .list(let elements) = value else {
      if case .number = value { return [SectionID(value.idText)] }
      return try texts().map { SectionID($0) }
    }
    try check(elements.count, atMost: 10_000)
    return try elements.map { element throws(SettingsError) in
      if case .number = element { return SectionID(element.idText) }
      return SectionID(try SettingReader(element, place).text())
    }
  }

  /// Reads a list of strings, or one string that is split at commas.
  func texts() throws(SettingsError) -> [String] {
    guard case .list(let elements) = value else { return ViewDefinition.split(try text()) }
    return try elements.map { element throws(SettingsError) in try SettingReader(element, place).text() }
  }

  /// Reads a list of paths, or one string that is split at commas. Their number is limited, because
  /// each path costs time for every item.
  func pathTexts(atMost count: Int) throws(SettingsError) -> [String] {
    var texts: [String]
    if case .list = value { texts = try self.texts() } else { texts = ViewDefinition.splitPaths(try text()) }
    try check(texts.count, atMost: count)
    return texts
  }

  func check(_ count: Int, atMost max: Int) throws(SettingsError) {
    if count > max {
      throw SettingsError(place, "There are \(count) entries, but at most \(max) are allowed.")
    }
  }

  func paths(atMost count: Int) throws(SettingsError) -> [FieldPath] {
    try pathTexts(atMost: count).map { text throws(SettingsError) in try path(text) }
  }

  func path(_ text: String) throws(SettingsError) -> FieldPath {
    do throws(TextError) { return try FieldPath(parsing: text) } catch {
      throw SettingsError(place, error.description)
    }
  }

  /// Reads the paths of id fields. Each must lead to a value in the file.
  func idFields() throws(SettingsError) -> [FieldPath] {
    let paths = try paths(atMost: 100)
    for path in paths where path.isComputed {
      throw SettingsError(
        place, "`\(path)` is computed, but an id consists of values in the file. Name a field.")
    }
    return paths
  }

  func sort(_ text: String) throws(SettingsError) -> ItemSortDescriptor {
    do throws(TextError) {
      return try ItemSortDescriptor(parsing: text)
    } catch {
      throw SettingsError(place, error.description)
    }
  }

  func isFirst() throws(SettingsError) -> Bool {
    let end = try text()
    if end != "first", end != "last" {
      throw SettingsError(place, "Expected `first` or `last`, found `\(end)`.")
    }
    return end == "first"
  }

  func section() throws(SettingsError) -> ItemSortDescriptor {
    let section = try sort(text())
    guard !section.nullsFirst else {
      throw SettingsError(
        place,
        "Sections have no `\(ItemSortDescriptor.nullsFirstSuffix)`. Name the section `\"\"` in `section-order`."
      )
    }
    return section
  }

  func count() throws(SettingsError) -> Int {
    guard case .number(.integer(let count)) = value else {
      throw SettingsError(
        place, "Expected an integer from 0 to \(Int.max), found \(value.kindName) `\(value.text)`.")
    }
    if count < 0 { throw SettingsError(place, "The number must not be negative.") }
    return count
  }

  /// Reads a map from fields to the widths of their columns.
  func widths() throws(SettingsError) -> [FieldPath: Int] {
    var widths: [FieldPath: Int] = [:]
    let written = try map()
    try check(written.count, atMost: 1_000)
    for (key, value) in written {
      let reader = SettingReader(value, place + [key])
      guard case .number(.integer(let width)) = value, 1...ViewDefinition.maxWidth ~= width else {
        throw SettingsError(
          reader.place,
          "A width is an integer from 1 to \(ViewDefinition.maxWidth), in characters, found `\(value.text)`.")
      }
      widths[try reader.path(key)] = width
    }
    return widths
  }

  private static let maxPredicate = 16 << 10

  func predicate() throws(SettingsError) -> ItemPredicate {
    let size = settingText().utf8.count
    guard size <= SettingReader.maxPredicate else {
      throw SettingsError(
        place,
        "The predicate has \(size) bytes, but at most \(SettingReader.maxPredicate) are allowed. Shorten it.")
    }
    do throws(ItemPredicateError) {
      return try ItemPredicate(settingText())
    } catch {
      throw SettingsError(place, "The predicate is not valid at column \(error.column): \(error.message)")
    }
  }

  func query() throws(SettingsError) -> SearchQuery {
    let text = try text()
    do throws(ItemPredicateError) {
      return try SearchQuery(text)
    } catch {
      throw SettingsError(place, "The query is not valid at column \(error.column): \(error.message)")
    }
  }

  private func settingText() -> String { value.isScalar ? value.text : "" }

  func titles() throws(SettingsError) -> [SectionID: String] {
    guard case .map(let fields) = value else {
      throw SettingsError(place, "Expected a map from sections to their titles, found \(value.kindName).")
    }
    var titles: [SectionID: String] = [:]
    for (key, title) in fields { titles[SectionID(key)] = try SettingReader(title, place + [key]).text() }
    // A key is a string. A key that is also a number names the section of that number, too.
    for key in fields.keys {
      guard let number = Number(json: key).map(Value.number), case let section = SectionID(number.idText),
        titles[section] == nil
      else {
        continue
      }
      titles[section] = titles[SectionID(key)]
    }
    return titles
  }

  func map() throws(SettingsError) -> Fields {
    guard case .map(let fields) = value else {
      throw SettingsError(place, "Expected a map, found \(value.kindName).")
    }
    return fields
  }

  package static func unknownKey(_ key: String, among known: [String]) -> String {
    let nearest = known.nearest(to: key).map { " Did you mean `\($0)`?" } ?? ""
    let settings = known.count == 1 ? "The only setting is" : "The settings are"
    return "There is no setting `\(key)` here.\(nearest) \(settings) \(known.joined(separator: ", "))."
  }
}

extension ViewDefinition {
  /// Splits a string at commas: `a, b,c` has three parts. Blanks around parts are removed, and
  /// empty parts are skipped.
  package static func split(_ text: String) -> [String] {
    text.unicodeScalars.split(separator: ",").map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
  }

  package static func idFields(_ text: String) throws(SettingsError) -> [FieldPath] {
    try SettingReader(.string(text), ["id-field"]).idFields()
  }

  /// Splits paths like `split(_:)`, but not at commas inside backquotes.
  package static func splitPaths(_ text: String) -> [String] {
    var texts: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
    var quotes = PathQuotes()
    var isAtStart = true
    for scalar in text.unicodeScalars {
      // Spaces and the `-` of a descending order can come before a path.
      let isPrefix = isAtStart && (scalar == " " || scalar == "-")
      let isQuoted = !isPrefix && quotes.read(scalar)
      if scalar == ",", !isQuoted {
        texts.append(String.UnicodeScalarView())
        quotes = PathQuotes()
      } else {
        texts[texts.count - 1].append(scalar)
      }
      isAtStart = isPrefix || (scalar == "," && !isQuoted)
    }
    return texts.map { $0[...].trimmingBlanks() }.filter { !$0.isEmpty }
  }
}

extension Substring.UnicodeScalarView {
  fileprivate func trimmingBlanks() -> String {
    let start = drop { $0 == " " }
    return String(
      String.UnicodeScalarView(
        start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)]))
  }
}
