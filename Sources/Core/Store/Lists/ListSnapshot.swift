package import HashTreeCollections

/// Makes the object that a list shows for an item of a snapshot; nil if there is none. It may run
/// user code, so it must not be called under a lock.
package typealias ItemMapping = @Sendable (Item.ID, ListSnapshot<Item>) -> Model?

/// A list at one moment, as a collection of its elements in order: items, or models of your own type.
///
/// An immutable value. Keeping an old one is cheap: it shares everything that did not change with its
/// successors.
///
/// ```swift
/// let contacts = try store.list(of: Contact.self, sort: "name").snapshot
/// for contact in contacts { print(contact.name) }
/// print(contacts[id: "ada"]?.rating ?? 0, contacts.place(of: "ada")?.description ?? "")
/// ```
public struct ListSnapshot<Element: Sendable>: Sendable {
  /// The request that made the list.
  public internal(set) var request: FetchRequest
  /// The sections and the ids in them.
  package var list: Snapshot<SectionID, Item.ID>
  /// The items that belong to the list at that moment, shown or not: those of the store in the
  /// list's folder. In a list of models, those that the predicate matches and that decode.
  package let items: ItemTable
  package let storeItems: ItemTable
  package var problemsByPath: TreeDictionary<RelativePath, Problem>
  package let models: TreeDictionary<Item.ID, Model>?
  /// Reads the fields that the request names.
  private(set) var reader: FieldReader
  /// Returns how the fields of the list's models are read at some paths; nil in a list of items.
  private let modelFields: (@Sendable ([FieldPath]) -> ModelFields)?
  /// The paths of the items that belong to a list of models and do not decode.
  package let undecodedPaths: TreeDictionary<Item.ID, RelativePath>
  /// The parts of the predicate in which quotes were probably forgotten, of all items of the store.
  /// They are known without another look at the items.
  package let unquotedStrings: [UnquotedString]
  /// The number of items that match, in the window (`offset`, `limit`) or not: 1,234 in "50 of
  /// 1,234". An item that occurs in several sections counts as often. O(1).
  ///
  /// A step that changes nothing else is not an update: the next update has the new number, and
  /// `LiveList.snapshot` has it at once.
  public let totalCount: Int
  package let version: Int
  /// The number of this state, which no other state of any list has; 0 if no live list made the snapshot.
  package let revision: Int
  /// The mapping that makes the shown objects; nil if the list shows its own items or models.
  private(set) var mapping: ItemMapping?
  /// The rows and titles of a partial or stored list, which replace those of its items and its request.
  package var kept: KeptRows?

  package init(
    request: FetchRequest, list: Snapshot<SectionID, Item.ID>, items: ItemTable,
    problems: TreeDictionary<RelativePath, Problem>,
    models: TreeDictionary<Item.ID, Model>? = nil
  ) {
    self.request = request
    self.list = list
    self.items = items
    storeItems = items
    problemsByPath = problems
    self.models = models
    reader = FieldReader()
    modelFields = nil
    undecodedPaths = [:]
    unquotedStrings = []
    totalCount = list.numberOfItems
    version = 0
    revision = 0
  }

  /// Makes a list of another program's rows, without problems and without items besides those of its rows.
  package init(request: FetchRequest, list: Snapshot<SectionID, Item.ID>, showing rows: [Item]) {
    var items = ItemTable()
    for item in rows { items[item.id] = item }
    self.init(request: request, list: list, items: items, problems: [:])
  }

  init(_ contents: ListContents, _ index: ListIndex, revision: Int) {
    request = index.request
    list = index.shown
    items = contents.state.items
    storeItems = contents.source.items
    problemsByPath = contents.state.problems
    models = contents.state.models
    reader = contents.state.reader
    modelFields = contents.modelFields
    undecodedPaths = contents.faultyPaths
    unquotedStrings = contents.unquotedStrings
    totalCount = index.totalCount
    version = contents.source.version
    self.revision = revision
  }

  /// Makes the same list with other elements: the items, their models, or what a mapping makes of them.
  package init(_ other: ListSnapshot<some Sendable>, mapping: ItemMapping? = nil) {
    request = other.request
    list = other.list
    items = other.items
    storeItems = other.storeItems
    problemsByPath = other.problemsByPath
    models = other.models
    reader = other.reader
    modelFields = other.modelFields
    undecodedPaths = other.undecodedPaths
    unquotedStrings = other.unquotedStrings
    totalCount = other.totalCount
    version = other.version
    revision = other.revision
    self.mapping = mapping ?? other.mapping
    kept = other.kept
  }

  /// Returns the snapshot with its elements made by another mapping.
  package func mapped(by mapping: ItemMapping?) -> ListSnapshot {
    var mapped = self
    mapped.mapping = mapping
    return mapped
  }

  var showsObjects: Bool { mapping != nil || models != nil }

  /// Returns the object of an item, as the list shows it; nil in a list of items.
  package func model(_ id: Item.ID) -> Model? {
    mapping.map { $0(id.item, ListSnapshot<Item>(self)) } ?? models?[id.item]
  }

  /// Returns the title that the view gives a section; nil if it gives none.
  package func title(of section: SectionID) -> String? { titles[section] }

  package var titles: [SectionID: String] { kept?.titles ?? request.section?.titles ?? [:] }

  package func items(in section: SectionID) -> [Item] {
    list.itemIdentifiers(inSection: section).compactMap { content(of: $0)?.item }
  }

  /// O(k + log n) for k items.
  package func items(in section: SectionID, _ range: Range<Int>) -> [Item] {
    list.items(inSection: section, range).compactMap { content(of: $0)?.item }
  }

  /// Returns an item by its id, or by that of an occurrence; nil if the list does not show it. O(log n).
  package func item(_ id: Item.ID) -> Item? { firstRow(of: id).flatMap { content(of: $0)?.item } }

  /// Returns the item of a shown row. Costs less than `item(_:)`, which asks first whether it is shown.
  package func item(ofShownRow id: Item.ID) -> Item? { content(of: id)?.item }

  /// Returns the path of an item that the list shows, or of another one of the store; nil if there
  /// is none with the id. The path of a row that was kept is the one that it had then.
  package func path(of id: Item.ID) -> RelativePath? { storeItem(id)?.path }

  package func stamp(of id: Item.ID) -> FileStamp? { storeItem(id)?.stamp }

  private func storeItem(_ id: Item.ID) -> Item? { item(id) ?? items[id.item] ?? storeItems[id.item] }

  /// Returns the fields of an item that belongs to the list, those that the request names.
  func fields(of id: Item.ID) -> ItemFields? { items[id].map(reader.fields) }

  /// Returns a reader of other fields than those that the request names.
  func reader(of paths: [FieldPath]) -> FieldReader {
    modelFields.map { FieldReader($0(paths), in: storeItems) } ?? reader
  }

  /// Returns the list with the sections of a descriptor.
  func divided(by section: SectionDescriptor, _ list: Snapshot<SectionID, Item.ID>) -> ListSnapshot {
    var divided = self
    divided.request.section = section
    divided.reader = reader(of: divided.request.orderingPaths)
    divided.list = list
    return divided
  }

  package var problemCount: Int { problemsByPath.count }

  /// The problems of files, in the order of their paths. O(p log p) for p problems.
  public var problems: [Problem] { problemsByPath.values.sorted { $0.path < $1.path } }

  /// The problems that a screen shows as rows: all of them, as nobody knows what a predicate says about a
  /// broken file; while there is a search, those whose path or message has its words, and none without words.
  package var problemRows: [Problem] {
    if !request.searches { return problems }
    let words = SearchHighlighter(request)
    return words.isEmpty ? [] : problems.filter { words.match($0.path.description, $0.message) }
  }

  package func problem(of path: RelativePath) -> Problem? { problemsByPath[path] }

  /// Returns the fields that the request names and no item of the store has, at most `max` of them.
  /// Words that are probably strings are not among them.
  package func unknownFields(max: Int = .max) -> [FieldPath] {
    let items = candidates
    if !items.contains(where: { _ in true }) { return [] }
    var seen = Set(unquotedStrings.flatMap(\.fields))
    var unknown: [FieldPath] = []
    for path in request.orderingPaths + request.fields where unknown.count < max && seen.insert(path).inserted
    {
      if !items.contains(where: { reader.fields(of: $0).hasField(at: path) }) { unknown.append(path) }
    }
    return unknown
  }

  package func nearestField(to path: FieldPath) -> FieldPath? { candidates.nearestField(to: path) }

  /// The items in the request's folder, whether or not the predicate matches them. O(n).
  private var candidates: some Sequence<Item> {
    let gate = ItemGate(request, callsUserCode: false, context: .now)
    return storeItems.lazy.map(\.value).filter { gate.admits(ItemFields($0)) }.map(reader.modelFields.current)
  }

  /// Sentences that explain an empty list: the parts of its predicate that can match no item.
  package var predicateHints: [String] {
    guard count == 0, let predicate = request.predicate else { return [] }
    // The hints are about what files have. A default or a link makes them wrong.
    guard predicate.fieldPaths.allSatisfy(reader.modelFields.readsOnlyFile) else { return [] }
    return predicate.hints(about: candidates, in: .now)
  }
}

extension ListSnapshot {
  /// Makes the list that a request shows of a store at one moment, without following it. O(n log n).
  package init(
    of state: StoreState, request: FetchRequest, context: PredicateContext = .now,
    decoder: ModelDecoder? = nil
  ) {
    var memo = UserCodeMemo()
    let contents = ListContents(state, request: request, context: context, decoder: decoder, &memo)
    self.init(
      contents,
      ListIndex(contents.state, request: request, filter: contents.filter(of: request, context: context)),
      revision: 0)
  }
}
