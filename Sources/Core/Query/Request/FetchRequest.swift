package import Files
public import Values

/// A description of a list: which items of a store it shows, in which order and sections.
///
/// The default request shows all items in one section, ordered by id.
///
/// ```swift
/// let todos = try store.list(in: "todos/")
/// todos.change { request in
///   request.sort = ["-rating", "name"]
///   request.predicate = "done = \(false) AND due <= @today"
/// }
/// ```
public struct FetchRequest: Sendable, Hashable {
  /// The sort descriptors. The first decides, each further one breaks the ties of those before it,
  /// and the id breaks the last ties, so the order is always total.
  public var sort: [ItemSortDescriptor]
  /// The rule that divides the list into sections. If nil, there is one section with the id `""`.
  public var section: SectionDescriptor?
  /// The folder whose items are listed, with those of the folders below it; nil for all items.
  ///
  /// The list then has no problems of files outside of the folder.
  package var folder: RelativePath?
  /// The condition that an item must meet. If nil, all items meet it.
  public var predicate: ItemPredicate?
  /// The search text: each of its words must be in some scalar of the item or in its id. Case and
  /// accents are ignored. An empty text matches all items.
  public var search: String
  /// A search with a grammar; nil for none. An item must match it and `search`.
  public var query: SearchQuery?
  /// The fields that the words of `search` and `query` are searched in, `@id` among them. If empty, all fields and
  /// the id are searched.
  public var searchFields: [FieldPath]
  /// The fields that the list shows. A change to another field is not an update. If empty, the list
  /// shows all fields except the pseudo-fields.
  package var fields: [FieldPath]
  /// The widths of columns in characters, for tables and screens. A field without one gets what it needs.
  package var widths: [FieldPath: Int]
  /// The maximum number of items, counted after `offset`. If nil, there is no limit. A negative
  /// number counts as 0.
  public var limit: Int?
  /// The number of items to skip at the start of the list. A negative number counts as 0.
  public var offset: Int
  /// The sentence to show to a person while the list is empty.
  package var emptyText: String?

  /// Creates a request. Without arguments it shows all items in one section, ordered by id.
  package init(
    sort: [ItemSortDescriptor] = [], section: SectionDescriptor? = nil, folder: RelativePath? = nil,
    predicate: ItemPredicate? = nil,
    search: String = "", query: SearchQuery? = nil, searchFields: [FieldPath] = [],
    fields: [FieldPath] = [], widths: [FieldPath: Int] = [:], limit: Int? = nil, offset: Int = 0,
    emptyText: String? = nil
  ) {
    self.sort = sort
    self.section = section
    self.folder = folder
    self.predicate = predicate
    self.search = search
    self.query = query
    self.searchFields = searchFields
    self.fields = fields
    self.widths = widths
    self.limit = limit
    self.offset = offset
    self.emptyText = emptyText
  }

  /// The sort descriptors that can break a tie of relevance. A second descriptor for the same field never can.
  package var decidingSort: [ItemSortDescriptor] {
    var seen: Set<FieldPath> = []
    return ownSort.filter { descriptor in descriptor.path.map { seen.insert($0).inserted } ?? true }
  }

  package var hasWindow: Bool { limit != nil || offset > 0 }

  /// The positions, among the items that match, of the items that are shown.
  package var window: Range<Int> {
    let start = max(0, offset)
    let (end, isPastAll) = start.addingReportingOverflow(max(0, limit ?? .max))
    return start..<(isPastAll ? .max : end)
  }

  /// The fields that decide if an item is in the list, and at which place.
  package var orderingPaths: [FieldPath] {
    decidingSort.compactMap(\.path) + (section?.path.map { [$0] } ?? []) + (predicate?.namedFields ?? [])
      + (query?.namedFields ?? []) + searchFields
  }

  /// True if the request uses `@today`, so that midnight may change its list.
  package var usesToday: Bool { predicate?.usesToday == true || query?.predicate?.usesToday == true }

  /// The condition that an item must meet, as one predicate: the search and the query among it.
  package var explanation: String {
    let words = search.split(whereSeparator: \.isWhitespace).map { String($0) } + (query?.words ?? [])
    let searched = words.map { word in
      let tests: [ItemPredicate] =
        searchFields.isEmpty
        ? ["@text CONTAINS[cd] \(word)"] : searchFields.map { "\($0).@text CONTAINS[cd] \(word)" }
      return tests.map(\.text).joined(separator: " OR ")
    }
    let parts = [predicate?.text].compactMap(\.self) + searched + [query?.predicate?.text].compactMap(\.self)
    if parts.isEmpty { return "TRUEPREDICATE" }
    return parts.count == 1 ? parts[0] : parts.map { "(\($0))" }.joined(separator: " AND ")
  }

  /// Returns the parts of the predicate and of the query that name no field of some items, the items of the
  /// folder. See ``ItemPredicate/unquotedStrings(in:)`` and ``SearchQuery/unknownFields(in:)``.
  package func unquotedStrings(in items: some Sequence<Item>) -> [UnquotedString] {
    (predicate?.unquotedStrings(in: items) ?? []) + (query?.unknownFields(in: items) ?? [])
  }

  /// Returns `new` with each part in which this request differs from `old`.
  package func rebased(from old: FetchRequest, onto new: FetchRequest) -> FetchRequest {
    func part<Part: Equatable>(_ path: KeyPath<FetchRequest, Part>) -> Part {
      self[keyPath: path] == old[keyPath: path] ? new[keyPath: path] : self[keyPath: path]
    }
    var request = FetchRequest(
      sort: part(\.ownSort), section: part(\.section), folder: part(\.folder), predicate: part(\.predicate),
      search: part(\.search), query: part(\.query), searchFields: part(\.searchFields),
      fields: part(\.fields), widths: part(\.widths),
      limit: part(\.limit), offset: part(\.offset), emptyText: part(\.emptyText))
    request.sortsByRelevance = part(\.sortsByRelevance)
    return request
  }
}

extension FetchRequest: CustomStringConvertible {
  /// The parts of the request that are set, in one line: `in people where rating > 3, sorted by
  /// -rating, name, sections group`. `all items` if none is set.
  public var description: String {
    var parts = folder.map { ["in \($0)"] } ?? []
    if let predicate { parts.append("where \(predicate)") }
    if !search.isEmpty { parts.append("search \"\(search)\"") }
    if let query { parts.append("query \"\(query)\"") }
    if !searchFields.isEmpty { parts.append("searching \(FetchRequest.names(searchFields))") }
    if !sort.isEmpty { parts.append("sorted by \(FetchRequest.names(sort))") }
    if let section { parts.append("sections \(section)") }
    if !fields.isEmpty { parts.append("showing \(FetchRequest.names(fields))") }
    if hasWindow { parts.append(limit.map { "\($0) items" } ?? "all items") }
    if offset > 0 { parts.append("after \(offset)") }
    return parts.isEmpty ? "all items" : DisplayText.safe(parts.joined(separator: ", "))
  }

  private static func names(_ parts: [some CustomStringConvertible]) -> String {
    parts.map(\.description).joined(separator: ", ")
  }
}
