package import Store

/// The list as it is now, and what changed since the last report that the screen was given.
package struct ListReport: Sendable {
  package var snapshot: ListSnapshot<Item>
  var update: ListUpdate<Item>?
  var settings: Settings
  /// True if the folder is polled, because it cannot be watched.
  var isPolled: Bool
  /// The number of items in the folder, whether or not the list shows them.
  var storeCount = 0
  /// The time of day of the changes, such as `12:03:04`; nil if it is not known.
  var time: String?

  /// The problems that appeared or disappeared; at first those that are there.
  var problems: [ProblemChange] = []
  /// The hints about the request; nil if they are those of the last report.
  var hints: [String]?

  init(_ snapshot: ListSnapshot<Item>, _ update: ListUpdate<Item>?, settings: Settings, isPolled: Bool) {
    self.snapshot = snapshot
    self.update = update
    self.settings = settings
    self.isPolled = isPolled
  }
}

package enum RequestChange: Sendable, Hashable {
  /// The search text. Asking for the text that is shown already prepares the search, so that its
  /// first key is as fast as the others: do that when a search line opens.
  case search(String)
  /// The predicate; nil for that of the view.
  case predicate(ItemPredicate?)
  case sort([ItemSortDescriptor])
  /// The section; nil for a list without sections.
  case section(SectionDescriptor?)
  /// The fields of the columns, none for the automatic choice, and the widths of some.
  case columns([FieldPath], widths: [FieldPath: Int])
  /// The named view; nil for all items.
  case view(String?)
}

/// Changes that were asked for and not made yet. Of several of one part only the newest counts.
struct PendingRequest {
  /// The view; `.some(nil)` for all items, nil if the view stays.
  private(set) var view: String??
  private(set) var search: String?
  private var predicate: ItemPredicate??
  private var sort: [ItemSortDescriptor]?
  private var section: SectionDescriptor??
  private var columns: (fields: [FieldPath], widths: [FieldPath: Int])?

  var isEmpty: Bool { view == nil && !changesParts }

  var changesParts: Bool {
    search != nil || predicate != nil || sort != nil || section != nil || columns != nil
  }

  /// A view, sort fields or a section are complete, unlike a search or a predicate that is being typed.
  var choosesFields: Bool { view != nil || sort != nil || section != nil }

  mutating func add(_ change: RequestChange) {
    switch change {
    case .search(let text): search = text
    case .predicate(let new): predicate = .some(new)
    case .sort(let new): sort = new
    case .section(let new): section = .some(new)
    case .columns(let fields, let widths): columns = (fields, widths)
    case .view(let name):
      // Choosing a view chooses its order, sections and predicate.
      self = PendingRequest(view: .some(name), search: search)
    }
  }

  init() {}

  private init(view: String??, search: String?) {
    self.view = view
    self.search = search
  }

  /// Makes the changes, except that of the view, whose request without changes is `base`.
  func apply(to request: inout FetchRequest, base: FetchRequest) {
    request = request.exact
    if let search, search == base.typedSearch {
      // The view's own search may be plain words instead of a query.
      (request.search, request.query) = (base.search, base.query)
    } else if let search, search != request.typedSearch {
      request.typedSearch = search
    }
    if let predicate { request.predicate = predicate ?? base.predicate }
    if let sort { request.sort = sort }
    if let section { request.section = section }
    if let columns { (request.fields, request.widths) = columns }
    request.sortsByRelevance = request.searches
  }
}
