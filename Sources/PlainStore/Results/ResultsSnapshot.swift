public import DiffableSnapshot
package import DirectoryWatch
package import HashTreeCollections
package import PlainText

/// A list at one moment: the items that a request shows, in their order and sections, with their
/// values. An immutable value. Keeping an old one is cheap: it shares everything that did not
/// change with its successors.
public struct ResultsSnapshot: Sendable {
  /// The request that made the list.
  public let request: FetchRequest
  /// The sections and the ids in them, as a diffable snapshot.
  public let list: Snapshot<SectionID, Item.ID>
  /// The items that belong to the list at that moment, shown or not: those of the store in the
  /// list's folder. In a list of models, those that the predicate matches and that decode.
  package let items: TreeDictionary<Item.ID, Item>
  /// All items of the store at that moment.
  package let storeItems: TreeDictionary<Item.ID, Item>
  /// The problems of files at that moment.
  package let problemsByPath: TreeDictionary<RelativePath, Problem>
  /// The models of the items in a list of a user's own type; otherwise nil.
  let models: TreeDictionary<Item.ID, Model>?
  /// The paths of the items that belong to a list of models and do not decode.
  let undecodedPaths: TreeDictionary<Item.ID, RelativePath>
  /// The number of items that match, in the window (`offset`, `limit`) or not: 1,234 in "50 of
  /// 1,234". An item that occurs in several sections counts as often. O(1).
  ///
  /// A step that changes nothing else is not an update: the next update has the new number, and
  /// `FetchedResults.snapshot` has it at once.
  public let totalCount: Int
  /// The version of the store that the list shows.
  package let version: Int
  /// The number of this state of the list, which no other state of any list has. 0 for a snapshot
  /// that was not made by a live list.
  let revision: Int

  package init(
    request: FetchRequest, list: Snapshot<SectionID, Item.ID>, items: TreeDictionary<Item.ID, Item>,
    problems: TreeDictionary<RelativePath, Problem>,
    models: TreeDictionary<Item.ID, Model>? = nil
  ) {
    self.request = request
    self.list = list
    self.items = items
    storeItems = items
    problemsByPath = problems
    self.models = models
    undecodedPaths = [:]
    totalCount = list.numberOfItems
    version = 0
    revision = 0
  }

  init(_ contents: ListContents, _ index: ResultsIndex, revision: Int) {
    request = index.request
    list = index.shown
    items = contents.state.items
    storeItems = contents.source.items
    problemsByPath = contents.state.problems
    models = contents.state.models
    undecodedPaths = contents.faultyPaths
    totalCount = index.totalCount
    version = contents.source.version
    self.revision = revision
  }

  /// The number of items shown.
  public var count: Int { list.numberOfItems }

  /// One section of a list.
  public struct Section: Sendable, Identifiable {
    /// The value that the items of the section have in common.
    public let id: SectionID
    /// The title that the view gives the section; nil if it gives none.
    public let title: String?
    /// The number of items in it.
    public let count: Int
  }

  /// The sections in order. Without a section descriptor there is one section, `""`.
  public var sections: [Section] {
    list.sectionIdentifiers.map { Section(id: $0, title: title(of: $0), count: list.numberOfItems(inSection: $0)) }
  }

  /// Returns the title that the view gives a section; nil if it gives none.
  public func title(of section: SectionID) -> String? { request.section?.titles[section] }

  /// Returns the items of a section, in order.
  public func items(in section: SectionID) -> [Item] {
    list.itemIdentifiers(inSection: section).compactMap { items[$0.item] }
  }

  /// The items that the list shows, in order. O(n).
  public var fetchedObjects: [Item] { list.itemIdentifiers.compactMap { items[$0.item] } }

  /// Returns an item by its id, or by that of an occurrence; nil if the list does not show it.
  /// O(log n).
  public func item(_ id: Item.ID) -> Item? { rows(of: id).isEmpty ? nil : items[id.item] }

  /// Returns the place of an item or of an occurrence; nil if the list does not show it. O(log n).
  ///
  /// Of an item that occurs in several sections, the first place (see `places(of:)`).
  public func place(of id: Item.ID) -> Place<SectionID>? { list.place(of: id) ?? places(of: id).first }

  /// Returns the places of an item in the order of the list: several if each element of a list field
  /// makes a section (`SectionDescriptor.Grouping.element`). O(log n) for each.
  public func places(of id: Item.ID) -> [Place<SectionID>] {
    let places = rows(of: id).compactMap { row in list.indexOfItem(row).flatMap { number in list.place(of: row).map { (number, $0) } } }
    return places.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the item at a place; nil if there is none. O(log n).
  public func object(at place: Place<SectionID>) -> Item? { list.item(at: place).flatMap { items[$0.item] } }

  /// Returns the rows that the list shows of an item, or of one occurrence, in no particular order.
  func rows(of id: Item.ID) -> [Item.ID] {
    if list.contains(id) { return [id] }
    guard let section = request.section, section.hasOccurrences, id.section == nil, let item = items[id] else { return [] }
    return section.sectionIDs(of: item, nil).map { Item.ID(id, in: $0) }.filter(list.contains)
  }

  /// The problems of files, in the order of their paths.
  public var problems: [Problem] { problemsByPath.values.sorted { $0.path < $1.path } }
}

extension ResultsSnapshot {
  /// Returns the fields that the request names and no item of the store has, at most `max` of them.
  package func unknownFields(max: Int = .max) -> [FieldPath] {
    let items = candidates
    if !items.contains(where: { _ in true }) { return [] }
    var seen: Set<FieldPath> = []
    var unknown: [FieldPath] = []
    for path in request.orderingPaths + request.fields where unknown.count < max && seen.insert(path).inserted {
      if !items.contains(where: { $0.hasField(at: path) }) { unknown.append(path) }
    }
    return unknown
  }

  /// Returns the field that was probably meant by a path that no item has; nil if none is similar.
  package func nearestField(to path: FieldPath) -> FieldPath? { candidates.nearestField(to: path) }

  /// The items in the request's folder, whether or not the predicate matches them. O(n).
  private var candidates: some Sequence<Item> {
    let gate = ItemGate(request, callsUserCode: false, context: .now)
    return storeItems.lazy.map(\.value).filter(gate.admits)
  }

  /// Sentences that explain an empty list: the parts of its predicate that can match no item.
  package var predicateHints: [String] {
    guard count == 0, let predicate = request.predicate else { return [] }
    return predicate.hints(about: candidates, in: .now)
  }
}

extension ResultsSnapshot {
  /// Makes the list that a request shows of a store at one moment, without following it.
  /// O(n log n).
  package init(of state: StoreState, request: FetchRequest, context: PredicateContext = .now) {
    var memo = UserCodeMemo()
    let contents = ListContents(state, request: request, context: context, &memo)
    self.init(contents, ResultsIndex(contents.state, request: request, filter: contents.filter(of: request, context: context)), revision: 0)
  }
}
