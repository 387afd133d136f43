import Store

/// The changes of a request that were asked for and not made yet. Of several changes of one part
/// only the newest counts.
struct PendingRequest: Sendable {
  /// The view; `.some(nil)` for all items, nil if the view stays.
  private(set) var view: String??
  private(set) var search: String?
  private var predicate: ItemPredicate??
  private var sort: [ItemSortDescriptor]?
  private var section: SectionDescriptor??

  /// True if there is nothing to change.
  var isEmpty: Bool { view == nil && !changesParts }

  /// True if anything but the view will change.
  var changesParts: Bool { search != nil || predicate != nil || sort != nil || section != nil }

  /// True if a view, or fields by which the list is sorted or divided, were chosen. They are
  /// complete, unlike a search or a predicate that is being typed.
  var choosesFields: Bool { view != nil || sort != nil || section != nil }

  /// Adds a change.
  mutating func add(_ change: RequestChange) {
    switch change {
    case .search(let text): search = text
    case .predicate(let new): predicate = .some(new)
    case .sort(let new): sort = new
    case .section(let new): section = .some(new)
    case .view(let name):
      // Choosing a view chooses its order, sections and predicate.
      self = PendingRequest(view: .some(name), search: search)
    }
  }

  init() {}

  private init(view: String??, search: String?) {
    (self.view, self.search) = (view, search)
  }

  /// Makes the changes, except that of the view.
  ///
  /// - Parameter base: The request of the view, without changes.
  func apply(to request: inout FetchRequest, base: FetchRequest) {
    if let search { request.search = search }
    if let predicate { request.predicate = predicate ?? base.predicate }
    if let sort { request.sort = sort }
    if let section { request.section = section }
  }
}
