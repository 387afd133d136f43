public import PlainText

/// What to show of a store, and how: Core Data's fetch request, and a named view of a data set's settings.
///
/// ```swift
/// var request = FetchRequest()
/// request.sort = ["-rating", "name"]
/// request.predicate = try ItemPredicate("done = false AND due <= @today")
/// let results = store.results(request)
/// ```
public struct FetchRequest: Sendable, Hashable {
  /// The first decides, the next breaks its ties, and in the end the id: the order is always total.
  public var sort: [ItemSortDescriptor]
  /// Nil: one section, `""`, always there.
  public var section: SectionDescriptor?
  public var predicate: ItemPredicate?
  /// Every word of it must appear in some scalar of the item, or in its id. Case and accents do not count. Empty: all match.
  public var search: String
  /// Where the words are looked for; `@id` is a field like another. Empty: everywhere, the id included.
  public var searchFields: [FieldPath]
  /// The fields that the view shows; a change to another is no update. Empty: all fields, without the pseudo-fields.
  public var fields: [FieldPath]
  /// At most so many items, counted after `offset`.
  public var limit: Int?
  /// So many items are left out at the front.
  public var offset: Int
  /// What to tell a person when the list is empty.
  public var emptyText: String?

  public init(
    sort: [ItemSortDescriptor] = [], section: SectionDescriptor? = nil, predicate: ItemPredicate? = nil, search: String = "",
    searchFields: [FieldPath] = [],
    fields: [FieldPath] = [], limit: Int? = nil, offset: Int = 0, emptyText: String? = nil
  ) {
    self.sort = sort
    self.section = section
    self.predicate = predicate
    self.search = search
    self.searchFields = searchFields
    self.fields = fields
    self.limit = limit
    self.offset = offset
    self.emptyText = emptyText
  }

  /// The sort descriptors that can break a tie: what an earlier one finds equal in a field, a later one for the same field does too.
  var decidingSort: [ItemSortDescriptor] {
    var seen: Set<FieldPath> = []
    return sort.filter { seen.insert($0.path).inserted }
  }

  /// Whether only a part of the list is shown.
  package var hasWindow: Bool { limit != nil || offset > 0 }

  /// Which of the items that fit are shown, by their numbers.
  package var window: Range<Int> {
    let start = max(0, offset)
    let (end, isPastAll) = start.addingReportingOverflow(max(0, limit ?? .max))
    return start..<(isPastAll ? .max : end)
  }

  /// Every field that decides where an item stands or whether it does.
  package var orderingPaths: [FieldPath] {
    sort.map(\.path) + (section.map { [$0.path] } ?? []) + (predicate.map { Array($0.fieldPaths) } ?? []) + searchFields
  }
}
