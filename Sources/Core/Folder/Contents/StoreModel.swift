package import Files
package import HashTreeCollections
package import Query
package import Values

/// The model of a folder: the item of each path, the item of each id, and the problems. Pure: its
/// input is what was found at paths, its output the changes.
package struct StoreModel {
  /// The items by their ids. If several paths claim an id, the first one in byte order has it.
  package private(set) var items = ItemTable()
  package private(set) var problems = TreeDictionary<RelativePath, Problem>()
  /// The last good item of each path. A path with a problem may have one.
  private var files = FileTable()
  /// The ids that several paths claim, with these paths.
  private var rivals: [Item.ID: Set<RelativePath>] = [:]
  /// The problems of the files themselves, without those of files that lost their id to another file.
  private var faults: [RelativePath: Problem] = [:]
  private var idFields: [FieldPath]
  private var budget: ExpansionBudget
  private var readable: Set<RelativePath> = []
  /// The least number of replaced items for which the tables are built again; less in tests.
  var minReplacedCount = 1_000
  /// The items of the first walk that count nothing in the budget, until `finishLoading`.
  private var loading: [Item] = []

  package init(idFields: [FieldPath] = [], expandedSize: Int = ReadLimits().totalExpandedSize) {
    self.idFields = idFields
    budget = ExpansionBudget(limit: expandedSize)
  }

  package var knownPaths: Set<RelativePath> { Set(files.paths).union(faults.keys) }

  package func knows(_ path: RelativePath) -> Bool { files[path] != nil || faults[path] != nil }

  package func isBroken(_ path: RelativePath) -> Bool { faults[path] != nil }

  package func knowledge(of path: RelativePath) -> Knowledge {
    Knowledge(fields: files[path]?.fields, fault: faults[path])
  }

  /// The fields and the fault of one path at one moment.
  package struct Knowledge: Equatable {
    fileprivate let fields: PackedValue?
    fileprivate let fault: Problem?
  }

  /// Returns true if a path has an item, even if it is only the last good one.
  package func hasItem(at path: RelativePath) -> Bool { files[path] != nil }

  /// Returns the files that claim an id, in the order of their paths. The first one has it.
  package func claimants(of id: Item.ID) -> [RelativePath] {
    rivals[id]?.sorted() ?? items[id].map { [$0.path] } ?? []
  }

  /// The stamp with which a file was read; nil if it has no item, or a fault, so that it must be read again.
  package func stamp(of path: RelativePath) -> FileStamp? { faults[path] == nil ? files[path]?.stamp : nil }

  mutating func load(_ items: [Item]) {
    loading.isEmpty ? loading = items : loading.append(contentsOf: items)
  }

  /// Loads what the first walk found, part by part and in any order. Call `finishLoading` after the
  /// last part. Changes are not recorded.
  package mutating func load(_ findings: some Collection<(path: RelativePath, finding: FileFinding)>) {
    for (path, finding) in findings {
      do throws(Problem) {
        switch finding {
        case .missing, .unchanged: break
        case .problem(let problem): throw problem
        case .tooExpanded:
          budget.refuse(path)
          throw budget.problem(at: path)
        case .item(let stamp, let fields):
          let item = Item(id: try identify(path, fields), path: path, stamp: stamp, fields: fields)
          let size = ExpansionBudget.size(of: fields, fileSize: stamp.size)
          // An item that the budget may still refuse claims its id at the end.
          if size > 0 { files[path] = item } else { loading.append(item) }
          budget.admit(size, at: path)
        }
      } catch {
        faults[path] = error
        problems[path] = error
      }
    }
    if budget.isOverfull { dropRefused() }
  }

  private mutating func dropRefused() {
    var touched = StoreChanges()
    evict(&touched)
    for path in touched.paths { problems[path] = faults[path] }
  }

  private mutating func evict(_ touched: inout StoreChanges) {
    for path in budget.evict() {
      set(nil, at: path, &touched)
      setFault(budget.problem(at: path), at: path, &touched)
    }
  }

  /// Builds the tables of what was loaded, and decides which path has each id that several claim.
  mutating func finishLoading() {
    dropRefused()
    let late = files.changedItems
    let (base, rest) = ItemBase.make(exchange(&loading, with: []), idsArePaths: idFields.isEmpty)
    items = ItemTable(base)
    files = FileTable(base)
    for item in rest + late {
      files[item.path] = item
      claim(item)
    }
    var paths: Set<RelativePath> = []
    for id in rivals.keys { settle(id, &paths) }
    for path in paths { problems[path] = currentProblem(at: path) }
  }

  /// Returns what the findings changed. Linear in their number, independent of the size of the store.
  package mutating func apply(_ findings: some Collection<(path: RelativePath, finding: FileFinding)>)
    -> StoreChanges
  {
    let before = (items: items, problems: problems)
    var touched = StoreChanges()
    touched.ids.reserveCapacity(findings.count)
    let old = budget
    for (path, finding) in findings { apply(finding, at: path, &touched) }
    evict(&touched)
    // After the eviction: a file that was read again and refused again releases nothing.
    if !old.refused.isEmpty, findings.contains(where: { budget.isReleased($0.path, since: old) }) {
      readable.formUnion(budget.refused)
    }
    for id in touched.ids { settle(id, &touched.paths) }
    for path in touched.paths { problems[path] = currentProblem(at: path) }
    // Mostly all have changed, and then no other set is made.
    if touched.ids.contains(where: { before.items[$0] === items[$0] }) {
      touched.ids = touched.ids.filter { before.items[$0] !== items[$0] }
    }
    touched.paths = touched.paths.filter { before.problems[$0] != problems[$0] }
    rebuildIfWorthwhile()
    return touched
  }

  /// Builds the tables again once most of what was loaded together has been replaced, so that old
  /// items are released. Amortized O(1) per change.
  private mutating func rebuildIfWorthwhile() {
    guard items.replacedCount > max(minReplacedCount, items.count / 2) else { return }
    let base = ItemBase.make(Array(items.values), idsArePaths: idFields.isEmpty).base
    let others = files.items.filter { items[$0.id] !== $0 }
    items = ItemTable(base)
    files = FileTable(base)
    for item in others { files[item.path] = item }
  }

  /// Returns once the paths that the budget refused and that now may have room. Read them again.
  mutating func consumeReadable() -> Set<RelativePath> { exchange(&readable, with: []) }

  /// Returns the items and problems that a new reading of the same files would find: without the last good
  /// items of files with a problem and of folders that cannot be listed. An id that such an item kept
  /// reserved goes to the next file that claims it. Linear in the number of problems; if a folder cannot be
  /// listed, in the size of the store.
  func withoutLastGoodItems() -> (items: ItemTable, problems: TreeDictionary<RelativePath, Problem>) {
    var paths = faults.keys.filter { files[$0] != nil }
    // Only folders that cannot be listed have faults and files below them.
    let folders = Set(faults.keys.filter { path in path.withUTF8 { TextFormat(fileName: $0) } == nil })
    if !folders.isEmpty { paths += files.paths.filter { faults[$0] == nil && $0.isBelow(anyOf: folders) } }
    if paths.isEmpty { return (items, problems) }
    var model = self
    var touched = StoreChanges()
    for path in paths { model.set(nil, at: path, &touched) }
    for id in touched.ids { model.settle(id, &touched.paths) }
    for path in touched.paths { model.problems[path] = model.currentProblem(at: path) }
    return (model.items, model.problems)
  }

  /// Computes all ids again. Linear in the size of the store; free if the fields are the same.
  mutating func reidentify(by idFields: [FieldPath]) -> StoreChanges {
    guard idFields != self.idFields else { return StoreChanges() }
    self.idFields = idFields
    let broken = faults
    // Each item is removed first: one that has no id by these fields is not a last good item either.
    var changes = apply(files.items.flatMap { [($0.path, .missing), ($0.path, .item($0.stamp, $0.fields))] })
    changes.formUnion(
      apply(broken.map { ($0.key, budget.refused.contains($0.key) ? .tooExpanded : .problem($0.value)) }))
    return changes
  }

  private mutating func apply(_ finding: FileFinding, at path: RelativePath, _ touched: inout StoreChanges) {
    switch finding {
    case .unchanged: break
    case .missing:
      set(nil, at: path, &touched)
      setFault(nil, at: path, &touched)
      budget.forget(path)
    case .problem(let problem):
      setFault(problem, at: path, &touched)
      // A last good item stays in the budget.
      if budget.refused.contains(path) { budget.forget(path) }
    case .tooExpanded:
      set(nil, at: path, &touched)
      setFault(budget.problem(at: path), at: path, &touched)
      budget.refuse(path)
    case .item(let stamp, let fields):
      do throws(Problem) {
        let id = try identify(path, fields)
        set(Item(id: id, path: path, stamp: stamp, fields: fields), at: path, &touched)
        setFault(nil, at: path, &touched)
        budget.admit(ExpansionBudget.size(of: fields, fileSize: stamp.size), at: path)
      } catch {
        setFault(error, at: path, &touched)
      }
    }
  }

  private func identify(_ path: RelativePath, _ fields: PackedValue) throws(Problem) -> Item.ID {
    try Item.ID(of: fields, at: path, by: idFields)
  }

  private mutating func setFault(_ fault: Problem?, at path: RelativePath, _ touched: inout StoreChanges) {
    guard faults[path] != fault else { return }
    touched.paths.insert(path)
    faults[path] = fault
  }

  private mutating func set(_ item: Item?, at path: RelativePath, _ touched: inout StoreChanges) {
    let old = files[path]
    if old == nil, item == nil { return }
    files[path] = item
    if let old {
      touched.ids.insert(old.id)
      if item?.id != old.id { withdraw(path, from: old.id, &touched) }
    }
    if let item, item.id != old?.id {
      touched.ids.insert(item.id)
      claim(item)
    }
  }

  /// Gives an item its id. If several paths claim the id, `settle` decides later.
  private mutating func claim(_ item: Item) {
    guard let holder = items.updateValue(item, forKey: item.id) else { return }
    rivals[item.id, default: [holder.path]].insert(item.path)
  }

  private mutating func withdraw(_ path: RelativePath, from id: Item.ID, _ touched: inout StoreChanges) {
    if rivals[id]?.remove(path) == nil { items[id] = nil } else { touched.paths.insert(path) }
  }

  /// Decides which path has an id. All rivals are touched, because a new winner changes the
  /// problems of the others.
  private mutating func settle(_ id: Item.ID, _ paths: inout Set<RelativePath>) {
    guard let claimants = rivals[id] else {
      if let holder = items[id] { items[id] = files[holder.path] }
      return
    }
    items[id] = claimants.min().flatMap { files[$0] }
    paths.formUnion(claimants)
    if claimants.count < 2 { rivals[id] = nil }
  }

  private func currentProblem(at path: RelativePath) -> Problem? {
    if let fault = faults[path] { return fault }
    guard let item = files[path], let winner = items[item.id], winner.path != path else { return nil }
    return Problem(
      path: path,
      message:
        "The id \(item.id) belongs to \(winner.path), whose path comes first.",
      advice: "Give one of the two files another name or id.")
  }
}

extension Item.ID {
  /// Makes the id of an item from the values of the data set's id fields, or from its path if there
  /// are none. A number counts by its value (`3.10` is `3.1`).
  package init(of fields: PackedValue, at path: RelativePath, by idFields: [FieldPath]) throws(Problem) {
    if idFields.isEmpty {
      self.init(path: path)
      return
    }
    var parts: [String] = []
    for field in idFields {
      guard let value = fields.value(at: field), value.isScalar, !value.text.isEmpty else {
        throw Problem(
          path: path,
          message: "The id field `\(field)` is missing, empty, a list or a map.",
          advice: "Give it a single value.")
      }
      parts.append(value.idText)
    }
    self.init(parts: parts)
  }
}

extension RelativePath {
  func isBelow(anyOf folders: Set<RelativePath>) -> Bool {
    var folder = parent
    while let current = folder {
      if folders.contains(current) { return true }
      folder = current.parent
    }
    return false
  }
}

/// The last good item of each path: those that were loaded together, and what changed since.
struct FileTable {
  private let base: ItemBase
  /// The items that are not as in `base`; nil for a path without one.
  private var changes: [RelativePath: Item?] = [:]

  package init(_ base: ItemBase = .empty) {
    self.base = base
  }

  subscript(path: RelativePath) -> Item? {
    get { changes[path] ?? base[path] }
    set {
      if newValue == nil, base[path] == nil {
        changes[path] = nil
      } else {
        changes.updateValue(newValue, forKey: path)
      }
    }
  }

  var changedItems: [Item] { changes.values.compactMap { $0 } }

  var items: [Item] {
    (changes.isEmpty ? base.items : base.items.filter { changes[$0.path] == nil }) + changedItems
  }

  var paths: [RelativePath] { items.map(\.path) }
}
