package import Files
package import HashTreeCollections
package import Query
package import Values

/// The state of a store at one moment, as lists see it. It shares its structure with the states
/// before and after it.
package struct StoreState {
  package var items: ItemTable
  package var problems: TreeDictionary<RelativePath, Problem>
  package var settings: Settings
  package var version: Int
  /// The models of the items, for a list of a user's own type; otherwise nil.
  package var models: TreeDictionary<Item.ID, Model>?
  /// The results of the request's functions, by item; nil if the request has no functions.
  package var derived: TreeDictionary<Item.ID, DerivedValues>?
  /// Reads the fields of the items, in a list of models as those of the model.
  package var reader = FieldReader()

  package init(
    items: ItemTable,
    problems: TreeDictionary<RelativePath, Problem>,
    settings: Settings,
    version: Int,
    models: TreeDictionary<Item.ID, Model>? = nil,
    derived: TreeDictionary<Item.ID, DerivedValues>? = nil
  ) {
    self.items = items
    self.problems = problems
    self.settings = settings
    self.version = version
    self.models = models
    self.derived = derived
  }

  package func fields(of item: Item) -> ItemFields { reader.fields(of: item) }

  package func problem(at path: RelativePath) -> Problem? { problems[path] }

  /// The problem of the folder itself; nil unless it is missing or cannot be read. The items are
  /// then those that it had last.
  package var folderProblem: Problem? { problems[.root] }
}

extension FieldReader {
  /// `items` are all items of the store at the moment.
  package init(_ modelFields: ModelFields, in items: ItemTable) {
    if modelFields.links.isEmpty { self.init(modelFields) } else { self.init(modelFields) { items[$0] } }
  }
}

extension StoreState {
  /// The state of files read from elsewhere than a folder. Without `idFields`, the settings name them.
  package init(
    _ findings: [(path: RelativePath, finding: FileFinding)], settings: Settings, idFields: [FieldPath]?
  ) {
    var model = StoreModel(idFields: idFields ?? settings.idFields)
    model.load(findings)
    model.finishLoading()
    self.init(items: model.items, problems: model.problems, settings: settings, version: 0)
  }
}

/// The ids and paths that changed in one scan. Their old and new values are in the states before
/// and after it.
package struct StoreChanges {
  package var ids: Set<Item.ID> = []
  package var paths: Set<RelativePath> = []

  package init(ids: Set<Item.ID> = [], paths: Set<RelativePath> = []) {
    self.ids = ids
    self.paths = paths
  }

  package var isEmpty: Bool { ids.isEmpty && paths.isEmpty }

  package mutating func formUnion(_ other: StoreChanges) {
    ids.formUnion(other.ids)
    paths.formUnion(other.paths)
  }
}

extension StoreChanges {
  package init(from old: StoreState, to new: StoreState) {
    self.init()
    for (id, item) in new.items where old.items[id] !== item { ids.insert(id) }
    for (id, _) in old.items where new.items[id] == nil { ids.insert(id) }
    for (path, problem) in new.problems where old.problems[path] != problem { paths.insert(path) }
    for (path, _) in old.problems where new.problems[path] == nil { paths.insert(path) }
  }
}
