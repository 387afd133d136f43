public import DiffableSnapshot
package import DirectoryWatch
package import HashTreeCollections
package import PlainText

/// A list at one moment: which items a request shows, in which order and sections, with their values. An immutable value; keeping an old one is cheap,
/// since it shares with its successors all that did not change.
public struct ResultsSnapshot: Sendable {
  /// What was asked for.
  public let request: FetchRequest
  /// Sections and the ids in them: a diffable snapshot.
  public let list: Snapshot<SectionID, Item.ID>
  /// Every item of the store at that moment, shown or not.
  package let items: TreeDictionary<Item.ID, Item>
  /// What is wrong with files, at that moment.
  package let problemsByPath: TreeDictionary<RelativePath, Problem>
  /// What the items are decoded to, in a list of the caller's own type.
  let models: TreeDictionary<Item.ID, Model>?

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

  /// One section of a list.
  public struct Section: Sendable, Identifiable {
    public let id: SectionID
    /// What the view calls it, where it says so.
    public let title: String?
    /// The number of items in it.
    public let count: Int
  }

  /// In order; without a section descriptor the one section `""`.
  public var sections: [Section] {
    list.sectionIdentifiers.map { Section(id: $0, title: title(of: $0), count: list.numberOfItems(inSection: $0)) }
  }

  public func title(of section: SectionID) -> String? { request.section?.titles[section] }

  /// The items of a section, in order.
  public func items(in section: SectionID) -> [Item] {
    list.itemIdentifiers(inSection: section).compactMap { items[$0] }
  }

  /// All items, in order: `fetchedObjects`.
  public var fetchedObjects: [Item] { list.itemIdentifiers.compactMap { items[$0] } }

  /// An item that the list shows. O(log n).
  public func item(_ id: Item.ID) -> Item? { place(of: id) == nil ? nil : items[id] }

  /// Where an item stands. O(log n).
  public func place(of id: Item.ID) -> Place<SectionID>? { list.place(of: id) }

  /// O(log n).
  public func object(at place: Place<SectionID>) -> Item? { list.item(at: place).flatMap { items[$0] } }

  /// In the order of their paths.
  public var problems: [Problem] { problemsByPath.values.sorted { $0.path < $1.path } }
}

extension ResultsSnapshot {
  /// The fields that the request names and no item of the store has, in its order, at most `max` of them.
  package func unknownFields(max: Int = .max) -> [FieldPath] {
    if items.isEmpty { return [] }
    var seen: Set<FieldPath> = []
    var unknown: [FieldPath] = []
    for path in request.orderingPaths + request.fields where unknown.count < max && seen.insert(path).inserted {
      if !items.contains(where: { $0.value.hasField(at: path) }) { unknown.append(path) }
    }
    return unknown
  }

  /// The field that a path which no item has was probably meant for.
  package func nearestField(to path: FieldPath) -> FieldPath? { items.lazy.map(\.value).nearestField(to: path) }

  /// Sentences for a person whose list is empty, on what in its predicate can match no item.
  package var predicateHints: [String] {
    guard count == 0, let predicate = request.predicate else { return [] }
    return predicate.hints(about: items.lazy.map(\.value), in: .now)
  }
}
