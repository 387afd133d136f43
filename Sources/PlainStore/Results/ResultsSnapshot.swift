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
  /// All items of the store at that moment, shown or not.
  package let items: TreeDictionary<Item.ID, Item>
  /// The problems of files at that moment.
  package let problemsByPath: TreeDictionary<RelativePath, Problem>
  /// The models of the items in a list of a user's own type; otherwise nil.
  let models: TreeDictionary<Item.ID, Model>?
  /// Makes the models that the list shows of its items and models; nil if it shows these.
  var mapping: ModelMapping?

  package init(
    request: FetchRequest, list: Snapshot<SectionID, Item.ID>, items: TreeDictionary<Item.ID, Item>,
    problems: TreeDictionary<RelativePath, Problem>,
    models: TreeDictionary<Item.ID, Model>? = nil
  ) {
    self.request = request
    self.list = list
    self.items = items
    problemsByPath = problems
    self.models = models
  }

  /// The number of items shown.
  public var count: Int { list.numberOfItems }

  /// Returns the title that the view gives a section; nil if it gives none.
  public func title(of section: SectionID) -> String? { request.section?.titles[section] }

  /// Returns the items of a section, in order.
  public func items(in section: SectionID) -> [Item] {
    list.itemIdentifiers(inSection: section).compactMap { items[$0] }
  }

  /// The items that the list shows, in order. O(n).
  public var fetchedObjects: [Item] { list.itemIdentifiers.compactMap { items[$0] } }

  /// Returns an item by its id; nil if the list does not show it. O(log n).
  public func item(_ id: Item.ID) -> Item? { place(of: id) == nil ? nil : items[id] }

  /// The problems of files, in the order of their paths.
  public var problems: [Problem] { problemsByPath.values.sorted { $0.path < $1.path } }
}

extension ResultsSnapshot {
  /// Returns the fields that the request names and no item of the store has, at most `max` of them.
  package func unknownFields(max: Int = .max) -> [FieldPath] {
    if items.isEmpty { return [] }
    var seen: Set<FieldPath> = []
    var unknown: [FieldPath] = []
    for path in request.orderingPaths + request.fields where unknown.count < max && seen.insert(path).inserted {
      if !items.contains(where: { $0.value.hasField(at: path) }) { unknown.append(path) }
    }
    return unknown
  }

  /// Returns the field that was probably meant by a path that no item has; nil if none is similar.
  package func nearestField(to path: FieldPath) -> FieldPath? { items.lazy.map(\.value).nearestField(to: path) }

  /// Sentences that explain an empty list: the parts of its predicate that can match no item.
  package var predicateHints: [String] {
    guard count == 0, let predicate = request.predicate else { return [] }
    return predicate.hints(about: items.lazy.map(\.value), in: .now)
  }
}

extension ResultsSnapshot {
  /// Makes the list that a request shows of a store at one moment, without following it.
  /// O(n log n).
  package init(of state: StoreState, request: FetchRequest, context: PredicateContext = .now) {
    let index = ResultsIndex(state, request: request, context: context)
    self.init(request: request, list: index.shown, items: state.items, problems: state.problems)
  }
}
