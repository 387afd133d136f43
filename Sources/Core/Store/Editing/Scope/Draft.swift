import HashTreeCollections

/// The items of a store with pending changes, as a save without a conflict would leave them. Pure,
/// except for the time and the random ids of the settings' defaults.
struct Draft {
  private(set) var state: StoreState
  private let base: EditScope.Base
  private var newItems: NewItems?

  init(_ base: EditScope.Base) {
    self.base = base
    state = base.state
  }

  /// Applies a change, and returns the item after it. A change that a save would refuse is ignored.
  @discardableResult
  mutating func apply(_ change: PendingChange) -> Item? {
    let old = state.items[change.id]
    if let old, !change.isCheck, isAnother(old, than: change.revision) { return nil }
    guard let new = changed(old, by: change) else {
      if change.act == .delete { state.items[change.id] = nil }
      return nil
    }
    // An id in use is refused, and so is a new item whose file already holds a different item.
    if new.id != change.id || old == nil, let other = state.items[new.id], other !== old { return nil }
    if !base.idFields.isEmpty, old == nil, state.items.contains(where: { $0.value.path == new.path }) {
      return nil
    }
    state.items[change.id] = nil
    state.items[new.id] = new
    return new
  }

  /// Returns true if an earlier change gave the id to another item: a conflict.
  private func isAnother(_ item: Item, than revision: ItemRevision?) -> Bool {
    guard let revision, item.path != revision.path else { return false }
    return item.fields.value != revision.fields.value
  }

  private mutating func changed(_ item: Item?, by change: PendingChange) -> Item? {
    if (try? change.checkFields { item?.fields.value.fields }) == nil { return nil }
    let new: Item?
    switch change.act {
    case .delete: new = nil
    case .insert(let content, let format, let path):
      new = item == nil ? inserted(change, content, format, path) : nil
    case .update:
      new = (item ?? missingItem(of: change)).flatMap {
        edited($0, $0.fields.value.fields ?? [:], change.edits)
      }
    case .replace(let text):
      new = item.flatMap { item in
        base.rules.format(of: item.path).flatMap { fields(of: text, $0) }.flatMap {
          edited(item, $0, change.edits)
        }
      }
    }
    guard let new, let newID = change.newID else { return new }
    return renamed(new, to: newID)
  }

  private func missingItem(of change: PendingChange) -> Item? {
    guard base.state.items[change.id] == nil, let revision = change.revision else { return nil }
    return Item(id: change.id, path: revision.path, stamp: revision.stamp, fields: revision.fields)
  }

  private mutating func inserted(
    _ change: PendingChange, _ content: PendingChange.NewContent, _ format: TextFormat?, _ wish: RelativePath?
  ) -> Item? {
    guard let plan = plan(change, content, format, wish), base.rules.format(of: plan.path) == plan.format,
      base.rules.reaches(plan.path),
      base.state.problems[plan.path] == nil, let fields = try? plan.fields.applying(change.edits),
      let item = makeItem(at: plan.path, .none, fields)
    else { return nil }
    return item.id == change.id ? item : nil
  }

  private mutating func plan(
    _ change: PendingChange, _ content: PendingChange.NewContent, _ format: TextFormat?, _ wish: RelativePath?
  ) -> NewItems.Plan? {
    let name = RelativePath(printed: change.id.description)
    let ownFormat = format ?? .yaml
    let path = wish ?? name.map { RelativePath(bytes: $0.bytes + ".\(ownFormat.pathExtensions[0])".utf8) }
    switch content {
    case .fields(let fields, _):
      var planner = newItems ?? makePlanner()
      defer { newItems = planner }
      guard let plan = try? planner.plan(change.id, at: wish, as: format, fields: fields) else { return nil }
      return self.plan(plan.id, plan.path, plan.format, writing: plan.fields)
    case .planned(let fields, _): return path.flatMap { plan(change.id, $0, ownFormat, writing: fields) }
    case .text(let text):
      guard let path, path != .root, let fields = fields(of: text, ownFormat) else { return nil }
      return NewItems.Plan(id: change.id, path: path, format: ownFormat, fields: fields)
    }
  }

  private func plan(_ id: Item.ID, _ path: RelativePath, _ format: TextFormat, writing fields: Fields)
    -> NewItems.Plan?
  {
    guard path != .root, let text = try? ItemText.new(fields, as: format, base.limits) else {
      return nil
    }
    return text.values.map {
      NewItems.Plan(id: id, path: path, format: format, fields: $0)
    }
  }

  private func makePlanner() -> NewItems {
    let paths = state.items.map(\.value.path)
    return NewItems(settings: base.state.settings, idFields: base.idFields, context: .current()) { folder in
      FolderFormats(paths.lazy.filter { $0.parent == folder })
    }
  }

  private func edited(_ item: Item, _ fields: Fields, _ edits: [TextEdit]) -> Item? {
    (try? fields.applying(edits)).flatMap { makeItem(at: item.path, item.stamp, $0) }
  }

  private func renamed(_ item: Item, to newID: Item.ID) -> Item? {
    guard base.idFields.isEmpty else {
      guard let edits = newID.edits(of: item.fields.value, by: base.idFields) else { return nil }
      return edited(item, item.fields.value.fields ?? [:], edits)
    }
    guard let name = RelativePath(printed: newID.description), name != .root,
      (try? NewItems.checkName(of: newID, name)) != nil
    else {
      return nil
    }
    let path = RelativePath(bytes: name.bytes + ".\(PseudoField.split(item.path.name).ext)".utf8)
    guard base.rules.reaches(path), base.state.problems[path] == nil else { return nil }
    return Item(id: newID, path: path, stamp: item.stamp, fields: item.fields)
  }

  private func makeItem(at path: RelativePath, _ stamp: FileStamp, _ fields: Fields) -> Item? {
    let packed = PackedValue(.map(fields))
    return (try? Item.ID(of: packed, at: path, by: base.idFields)).map {
      Item(id: $0, path: path, stamp: stamp, fields: packed)
    }
  }

  private func fields(of text: [UInt8], _ format: TextFormat) -> Fields? {
    ItemText(text, as: format, limits: base.limits).values
  }
}

/// The state of a store that a scope is based on.
extension EditScope {
  package struct Base {
    package let state: StoreState
    package let idFields: [FieldPath]
    let limits: ReadLimits
    let rules: PathRules
    package let models: KnownModels

    init(_ state: StoreState, _ options: StoreOptions, _ models: KnownModels) {
      self.state = state
      self.models = models
      idFields = options.idFields ?? state.settings.idFields
      limits = options.limits
      rules = PathRules(ignore: state.settings.ignore)
    }
  }
}

extension FileStamp {
  package static let none = FileStamp(
    size: 0, modified: FileTime(seconds: 0), changed: FileTime(seconds: 0), created: FileTime(seconds: 0))
}

/// Reading a draft: the items of the store with the changes of the scope, as a save without a
/// conflict would leave them.
///
/// A change that the save would refuse, such as an insertion of an existing item, is not shown. The
/// fields `@modified`, `@created` and `@size` are those of the file as it was read.
extension EditScope {
  /// Returns an item with the changes of the scope; nil if it does not exist or is to be deleted.
  ///
  /// ```swift
  /// var scope = store.makeEditScope()
  /// scope.update("ada", [.set("rating", 9)])
  /// print(scope.item("ada")?.value(at: "rating") ?? .null)  // 9, and the store still has the old one
  /// ```
  ///
  /// Costs a pass over the fields of a changed item. For a new item, and where ids are fields or
  /// items are renamed, it costs a pass over all changed items.
  public func item(_ id: some ItemIDConvertible) -> Item? { item(id.itemID) }

  private func item(_ id: Item.ID) -> Item? {
    guard let base else { return nil }
    guard base.idFields.isEmpty, let changes = changes(of: id), !changes.contains(where: \.isInsertion) else {
      return state?.items[id]
    }
    var draft = Draft(base)
    for change in changes { draft.apply(change) }
    return draft.state.items[id]
  }

  /// Returns the list that a request shows of the items with the changes of the scope. O(n log n).
  ///
  /// ```swift
  /// let scope = store.makeEditScope()
  /// let list = scope.list(FetchRequest(sort: ["-rating"]))
  /// print(list.count)
  /// ```
  ///
  /// - Parameter request: The request to show; by default all items, in the order of their ids.
  package func list(_ request: FetchRequest = FetchRequest()) -> ListSnapshot<Item> {
    ListSnapshot<Item>(of: state ?? EditScope.noState, request: request)
  }

  package static let noState = StoreState(items: [:], problems: [:], settings: Settings(), version: 0)

  /// The state with the changes of the scope; nil without a store.
  package var state: StoreState? {
    guard let base else { return nil }
    var draft = Draft(base)
    for change in changes { draft.apply(change) }
    return draft.state
  }
}
