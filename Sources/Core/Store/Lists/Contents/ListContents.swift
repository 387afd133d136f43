import HashTreeCollections

/// The part of a store that belongs to one list: the items in its folder and the problems of these
/// files. In a list of models, the items that its predicate matches and that can be decoded.
///
/// - An item that does not decode is a problem. It keeps its last good model while it matches, as a
///   file that cannot be read keeps its last good item. A last good model belongs to its path:
///   another file with the id does not keep it.
/// - An unchanged item is decoded once. If it leaves the list and returns, its model is still known.
/// - User code (`init(from:)`, the functions of a request) runs for admitted items only.
///
/// A value that shares structure with its copies, so that a change can be computed outside of the
/// lock of the list (`SharedList.transact`). For a list that admits everything and has no
/// models it is the store's state itself and costs nothing.
///
/// Invariants: `state.items` is a subset of the ids of `source.items`. `state.models` and `state.derived`, if
/// they are not nil, have the same ids. Each path in `faults` is that of one id in `faultyPaths`.
/// `dependents` is the inverse of `linkedIDs`. `spellings` has the ids of `source.items`.
struct ListContents {
  private(set) var source: StoreState
  private(set) var state: StoreState
  /// The parts of the predicate in which quotes were probably forgotten, and the unknown fields of the query.
  private(set) var unquotedStrings: [UnquotedString] = []
  private var request: FetchRequest
  private let decoder: ModelDecoder?
  private var gate: ItemGate
  /// The results for items whose current version is not in `state`: undecodable, or not admitted.
  private var decodings: TreeDictionary<Item.ID, Decoding> = [:]
  /// The problems of items that could not be decoded, by file, and their files by item.
  private var faults: TreeDictionary<RelativePath, Problem> = [:]
  private(set) var faultyPaths: TreeDictionary<Item.ID, RelativePath> = [:]
  /// The items that depend on an item by links, by its id, whether it exists or not: those whose models have
  /// a link to it, and all items of the folder from which the request's paths pass or end at it.
  private var dependents: TreeDictionary<Item.ID, TreeSet<Item.ID>> = [:]
  /// The ids that can be composed in different ways, if the ids of the models are strings.
  private var spellings = IDSpellings()

  /// Makes the contents of a state. Calls user code. O(n).
  init(
    _ source: StoreState, request: FetchRequest, context: PredicateContext, decoder: ModelDecoder? = nil,
    _ memo: inout UserCodeMemo
  ) {
    let empty = StoreState(
      items: [:], problems: [:], settings: source.settings, version: source.version,
      models: decoder == nil ? nil : [:])
    self.decoder = decoder
    self.source = empty
    state = empty
    self.request = request
    gate = ItemGate(request, callsUserCode: decoder != nil || request.hasFunctions, context: context)
    if isPlain {
      self.source = source
      state = source
    } else {
      let past = self
      state.reader = FieldReader(decoder?.fields(request.orderingPaths) ?? ModelFields())
      _ = advance(from: past, to: source, nil, hasSameGate: false, hasSameFunctions: false, &memo)
    }
    findUnquotedStrings()
  }

  private mutating func findUnquotedStrings() {
    let fields = state.reader.modelFields
    let items = source.items.lazy.map { fields.current($0.value) }
    unquotedStrings = request.unquotedStrings(in: items)
  }

  /// True if the list shows the store as it is.
  var isPlain: Bool { decoder == nil && !request.hasFunctions && gate.isOpen }

  /// Returns the filter for what the gate does not test of a request.
  func filter(of request: FetchRequest, context: PredicateContext) -> ItemFilter {
    ItemFilter(request, predicate: gate.testsPredicate ? nil : request.predicate, context: context)
  }

  var modelFields: (@Sendable ([FieldPath]) -> ModelFields)? { decoder?.fields }

  func callsUserCode(showing request: FetchRequest) -> Bool {
    decoder != nil || self.request.hasFunctions || request.hasFunctions
  }

  /// Updates the contents for a step of the store, another request, another day, or several of them.
  ///
  /// Costs O(k log n) for k changed items, and user code only for those that changed. If the
  /// request or the day admits other items it costs O(n), and user code for the new ones.
  ///
  /// - Returns: The differences in `state`. An item with a link to a changed item counts as changed.
  mutating func update(
    with step: StoreStep?, showing request: FetchRequest, context: PredicateContext,
    _ memo: inout UserCodeMemo
  ) -> StoreChanges {
    let past = self
    let old = self.request
    self.request = request
    defer {
      if step != nil || request.predicate != old.predicate || request.query != old.query {
        findUnquotedStrings()
      }
    }
    gate = ItemGate(request, callsUserCode: decoder != nil || request.hasFunctions, context: context)
    if let decoder, request.orderingPaths != old.orderingPaths {
      state.reader = FieldReader(decoder.fields(request.orderingPaths), in: source.items)
    }
    let hasSameFunctions = request.hasSameFunctions(as: old)
    let hasSameGate =
      gate.isSame(as: past.gate) && hasSameFunctions
      && state.reader.modelFields == past.state.reader.modelFields
    if step == nil, hasSameGate { return StoreChanges() }
    return advance(
      from: past, to: step?.state ?? source, step?.changes, hasSameGate: hasSameGate,
      hasSameFunctions: hasSameFunctions, &memo)
  }

  /// Shows another state of the store. `changes` is nil if it is the same, or if there was none.
  private mutating func advance(
    from past: ListContents, to next: StoreState, _ changes: StoreChanges?, hasSameGate: Bool,
    hasSameFunctions: Bool, _ memo: inout UserCodeMemo
  ) -> StoreChanges {
    let old = past.state
    if isPlain {
      source = next
      state = next
      return hasSameGate ? changes ?? StoreChanges() : StoreChanges(from: old, to: next)
    }
    source = next
    state.settings = next.settings
    state.version = next.version
    if !hasSameFunctions { state.derived = request.hasFunctions ? [:] : nil }
    state.reader = FieldReader(state.reader.modelFields, in: next.items)
    var ids = changes?.ids ?? []
    var linked: Set<Item.ID> = []
    if !dependents.isEmpty {
      for id in ids { if let items = dependents[id] { linked.formUnion(items) } }
    }
    if readsThroughLinks { ids.formUnion(linked) }
    // All other items keep their links, unless the request reads others.
    let relinked =
      state.reader.modelFields == past.state.reader.modelFields && gate.folder == past.gate.folder ? ids : nil
    var paths = changes?.paths ?? []
    if !hasSameGate {
      ids.formUnion(next.items.keys)
      ids.formUnion(old.items.keys)
      paths.formUnion(next.problems.keys)
      paths.formUnion(old.problems.keys)
    }
    if decoder?.hasStringIDs == true { ids = spellings.update(ids, in: next) }
    var changed = settle(ids, paths: paths, relinking: relinked, since: past, &memo)
    // The items that stay have no values of other functions yet.
    if !hasSameFunctions {
      for (id, item) in state.items where state.derived?[id] == nil { derive(id, item, &memo) }
    }
    changed.ids.formUnion(linked.filter { state.items[$0] != nil })
    return changed
  }

  private var readsThroughLinks: Bool { !state.reader.modelFields.links.isEmpty }

  private mutating func settle(
    _ ids: Set<Item.ID>, paths: Set<RelativePath>, relinking relinked: Set<Item.ID>?,
    since past: ListContents, _ memo: inout UserCodeMemo
  ) -> StoreChanges {
    let old = past.state
    var paths = paths
    var changed: Set<Item.ID> = []
    for id in ids {
      settle(id, &paths, &memo)
      let isChanged = old.items[id] !== state.items[id]
      if isChanged { changed.insert(id) }
      if isChanged || relinked?.contains(id) ?? true {
        link(id, from: past.linkedIDs(of: id), to: linkedIDs(of: id))
      }
    }
    for path in paths {
      let problem = gate.admits(problemAt: path) ? source.problems[path] ?? faults[path] : nil
      if state.problems[path] != problem { state.problems[path] = problem }
    }
    return StoreChanges(ids: changed, paths: paths.filter { old.problems[$0] != state.problems[$0] })
  }

  private mutating func settle(_ id: Item.ID, _ paths: inout Set<RelativePath>, _ memo: inout UserCodeMemo) {
    if let path = faultyPaths.removeValue(forKey: id) {
      faults[path] = nil
      paths.insert(path)
    }
    guard let item = source.items[id], admits(item) else { return exclude(id) }
    if let twin = spellings.others(id).compactMap({ source.items[$0] }).first(where: admits) {
      return fault(id, item, Problem(item, hasIDOf: twin), &paths)
    }
    if state.items[id] === item { return }
    guard let decoder else { return include(id, item, nil, &memo) }
    let known = decodings.removeValue(forKey: id)
    let decoding = known.flatMap { $0.item === item ? $0 : nil } ?? memo.decode(item, with: decoder)
    switch decoding.result {
    case .success(let model): include(id, item, model, &memo)
    case .failure(let problem):
      fault(id, item, problem, &paths)
      decodings[id] = decoding
    }
  }

  private func admits(_ item: Item) -> Bool { gate.admits(state.fields(of: item)) }

  private mutating func fault(
    _ id: Item.ID, _ item: Item, _ problem: Problem, _ paths: inout Set<RelativePath>
  ) {
    if let last = state.items[id], last.path != item.path { remove(id) }
    faults[item.path] = problem
    faultyPaths[id] = item.path
    paths.insert(item.path)
  }

  private mutating func include(_ id: Item.ID, _ item: Item, _ model: Model?, _ memo: inout UserCodeMemo) {
    state.items[id] = item
    if let model { state.models?[id] = model }
    derive(id, item, &memo)
  }

  private mutating func derive(_ id: Item.ID, _ item: Item, _ memo: inout UserCodeMemo) {
    if state.derived != nil { state.derived?[id] = memo.values(of: item, state.models?[id], by: request) }
  }

  /// Removes an item that is gone or not admitted. An unchanged one keeps its model, as it may come back.
  private mutating func exclude(_ id: Item.ID) {
    let item = source.items[id]
    if let item, state.items[id] === item, let model = state.models?[id] {
      decodings[id] = Decoding(item: item, result: .success(model))
    } else if let known = decodings[id], known.item !== item {
      decodings[id] = nil
    }
    remove(id)
  }

  private mutating func remove(_ id: Item.ID) {
    guard state.items[id] != nil else { return }
    state.items[id] = nil
    state.models?[id] = nil
    state.derived?[id] = nil
  }

  /// Returns the ids of the items on which an item depends by links.
  private func linkedIDs(of id: Item.ID) -> Set<Item.ID> {
    var ids = state.models?[id]?.links ?? []
    guard readsThroughLinks, let item = source.items[id], gate.admits(fileOf: item) else { return ids }
    state.fields(of: item).addLinkedIDs(to: &ids)
    // An item that no longer decodes keeps its place by its last good version.
    if let last = state.items[id], last !== item { state.fields(of: last).addLinkedIDs(to: &ids) }
    return ids
  }

  private mutating func link(_ id: Item.ID, from old: Set<Item.ID>, to new: Set<Item.ID>) {
    if old == new { return }
    for target in old.subtracting(new) {
      dependents[target]?.remove(id)
      if dependents[target]?.isEmpty == true { dependents[target] = nil }
    }
    for target in new.subtracting(old) { dependents[target, default: []].insert(id) }
  }
}

/// Decodes the items of a list to models, or says at a place of the file why an item cannot be decoded.
package struct ModelDecoder {
  let decode: @Sendable (Item) -> Result<Model, Problem>
  /// Returns how a list reads the fields of the model at some paths. May run user code.
  let fields: @Sendable ([FieldPath]) -> ModelFields
  /// True for a `PlainModel` whose own id is a string. Swift calls strings equal that are composed in
  /// different ways, so two items can have one id then.
  let hasStringIDs: Bool

  package init(
    fields: @escaping @Sendable ([FieldPath]) -> ModelFields = { _ in ModelFields() },
    hasStringIDs: Bool = false,
    _ decode: @escaping @Sendable (Item) -> Result<Model, Problem>
  ) {
    self.decode = decode
    self.fields = fields
    self.hasStringIDs = hasStringIDs
  }
}

/// The results of user code in one change of a list. If the list changed in the meantime and the
/// change must be computed again, no closure is called twice for one item.
struct UserCodeMemo {
  private var decodings: [Item.ID: Decoding] = [:]
  private var request: FetchRequest?
  private var values: [Item.ID: (item: Item, values: DerivedValues)] = [:]

  fileprivate mutating func decode(_ item: Item, with decoder: ModelDecoder) -> Decoding {
    if let known = decodings[item.id], known.item === item { return known }
    let decoding = Decoding(item: item, result: decoder.decode(item))
    decodings[item.id] = decoding
    return decoding
  }

  mutating func values(of item: Item, _ model: Model?, by request: FetchRequest) -> DerivedValues {
    if self.request?.hasSameFunctions(as: request) != true {
      self.request = request
      values = [:]
    }
    if let known = values[item.id], known.item === item { return known.values }
    let result = request.derivedValues(of: item, model)
    values[item.id] = (item, result)
    return result
  }
}

private struct Decoding {
  let item: Item
  let result: Result<Model, Problem>
}

/// The ids that Swift may call equal as strings although their bytes differ: `é` is one character or two.
private struct IDSpellings {
  /// The ids by their strings, compared as Swift does. Ids in ASCII have one spelling, and are not here.
  private var ids: TreeDictionary<String, TreeSet<Item.ID>> = [:]

  /// Updates the spellings of changed items. Returns them with those that are spelled differently.
  mutating func update(_ changed: Set<Item.ID>, in state: StoreState) -> Set<Item.ID> {
    var all = changed
    for id in changed {
      guard let text = IDSpellings.text(of: id) else { continue }
      if state.items[id] != nil { ids[text, default: []].insert(id) } else { ids[text]?.remove(id) }
      if ids[text]?.isEmpty == true { ids[text] = nil }
      all.formUnion(ids[text] ?? [])
    }
    return all
  }

  /// Returns the other ids with the same string, in the order of their bytes.
  func others(_ id: Item.ID) -> [Item.ID] {
    guard let text = IDSpellings.text(of: id), let same = ids[text], same.count > 1 else { return [] }
    return same.filter { $0 != id }.sorted { $0.stored.utf8.lexicographicallyPrecedes($1.stored.utf8) }
  }

  private static func text(of id: Item.ID) -> String? {
    id.stored.utf8.contains { $0 >= 0x80 } ? id.text : nil
  }
}

extension Problem {
  init(_ item: Item, hasIDOf other: Item) {
    func spelled(_ id: Item.ID) -> String {
      id.description.unicodeScalars.reduce(into: "") {
        $0 += $1.isASCII ? String($1) : "\\u{\(String($1.value, radix: 16, uppercase: true))}"
      }
    }
    self.init(
      path: item.path,
      message:
        "The ids `\(spelled(item.id))` and `\(spelled(other.id))` (\(other.path)) are "
        + "the same string to Swift, so they cannot be distinguished.",
      advice: "Rename one of the two files.")
  }
}

/// A test for the items and problems of the store that belong to a list.
///
/// It always tests the folder. It tests the predicate if user code runs for each item, such as the
/// `init(from:)` of a model: then that code runs for matching items only. Otherwise the list's
/// `ItemFilter` tests the predicate, which is cheaper when the predicate changes.
struct ItemGate {
  let folder: RelativePath?
  private let predicate: ItemPredicate?
  private let context: PredicateContext

  init(_ request: FetchRequest, callsUserCode: Bool, context: PredicateContext) {
    folder = request.folder == .root ? nil : request.folder
    predicate = callsUserCode ? request.predicate : nil
    self.context = context
  }

  var isOpen: Bool { folder == nil && predicate == nil }

  var testsPredicate: Bool { predicate != nil }

  func admits(_ fields: ItemFields) -> Bool {
    admits(fileOf: fields.item) && predicate?.matches(fields, in: context) ?? true
  }

  func admits(fileOf item: Item) -> Bool { folder.map(item.path.isBelow) ?? true }

  /// Returns true for the path of a file in the folder, or of a folder that contains it.
  func admits(problemAt path: RelativePath) -> Bool {
    guard let folder else { return true }
    return path == folder || path.isBelow(folder) || folder.isBelow(path)
  }

  func isSame(as other: ItemGate) -> Bool {
    folder == other.folder && predicate == other.predicate
      && (context == other.context || predicate?.usesToday != true)
  }
}
