package import DirectoryWatch
package import HashTreeCollections
package import LinuxFiles
package import PlainText

/// What a look at some paths made different. What it was and what it is stands in the states before and after.
package struct StoreChanges: Sendable {
  package var ids: Set<Item.ID> = []
  package var paths: Set<RelativePath> = []

  package var isEmpty: Bool { ids.isEmpty && paths.isEmpty }

  package mutating func formUnion(_ other: StoreChanges) {
    ids.formUnion(other.ids)
    paths.formUnion(other.paths)
  }
}

/// What is known of a folder: which path holds which item, which item has an id, and what is wrong. Pure: it is told what was found and answers what that changed.
package struct StoreModel: Sendable {
  /// The items that are listed: of all paths that claim an id, the first in byte order.
  package private(set) var items = TreeDictionary<Item.ID, Item>()
  /// At most one a path.
  package private(set) var problems = TreeDictionary<RelativePath, Problem>()
  /// The last good item of each path; a path with a problem may have one or not.
  private var files: [RelativePath: Item] = [:]
  /// Ids that more than one path claims.
  private var rivals: [Item.ID: Set<RelativePath>] = [:]
  /// What is wrong with a file itself, as opposed to losing its id to another.
  private var faults: [RelativePath: Problem] = [:]
  private var idFields: [FieldPath]
  private var budget: ExpansionBudget
  private var readable: Set<RelativePath> = []

  package init(idFields: [FieldPath] = [], expandedSize: Int = ReadLimits().totalExpandedSize) {
    self.idFields = idFields
    budget = ExpansionBudget(limit: expandedSize)
  }

  /// Every path that something is known of.
  package var knownPaths: Set<RelativePath> { Set(files.keys).union(faults.keys) }

  package func knows(_ path: RelativePath) -> Bool { files[path] != nil || faults[path] != nil }

  /// Whether something is wrong with what is at the path itself.
  func isBroken(_ path: RelativePath) -> Bool { faults[path] != nil }

  /// The fields and the fault that are known of a path, to compare with later.
  func knowledge(of path: RelativePath) -> Knowledge { Knowledge(fields: files[path]?.fields, fault: faults[path]) }

  struct Knowledge: Equatable {
    fileprivate let fields: PackedValue?
    fileprivate let fault: Problem?
  }

  /// Whether the path has an item, be it its last good one.
  package func hasItem(at path: RelativePath) -> Bool { files[path] != nil }

  /// The files that claim an id, in the order of their paths: the first one has it.
  func claimants(of id: Item.ID) -> [RelativePath] { rivals[id]?.sorted() ?? items[id].map { [$0.path] } ?? [] }

  /// What the path's item was read from; nil where the path has a fault and must be read again.
  package func stamp(of path: RelativePath) -> FileStamp? { faults[path] == nil ? files[path]?.stamp : nil }

  /// Makes room for so many files, so that loading them moves nothing.
  package mutating func reserveCapacity(_ count: Int) { files.reserveCapacity(count) }

  /// Takes in what a first walk found, part by part and in any order; `finishLoading` comes after the last. Nobody is told what changed, so nothing is kept of it.
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
          files[path] = item
          claim(item)
          budget.admit(ExpansionBudget.size(of: fields, fileSize: stamp.size), at: path)
        }
      } catch {
        faults[path] = error
        problems[path] = error
      }
    }
    if budget.isOverfull { dropRefused() }
  }

  /// Lets go of what was loaded beyond the budget.
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

  /// Settles the ids that several paths claim.
  package mutating func finishLoading() {
    dropRefused()
    var paths: Set<RelativePath> = []
    for id in rivals.keys { settle(id, &paths) }
    for path in paths { problems[path] = currentProblem(at: path) }
  }

  /// Takes in what was found at each path. Linear in the findings, whatever the size of the store.
  package mutating func apply(_ findings: some Collection<(path: RelativePath, finding: FileFinding)>) -> StoreChanges {
    let before = (items: items, problems: problems)
    var touched = StoreChanges()
    let old = budget
    for (path, finding) in findings { apply(finding, at: path, &touched) }
    evict(&touched)
    // Only once it is known what is refused now: a file that was read again and refused again releases nothing.
    if !old.refused.isEmpty, findings.contains(where: { budget.isReleased($0.path, since: old) }) { readable.formUnion(budget.refused) }
    for id in touched.ids { settle(id, &touched.paths) }
    for path in touched.paths { problems[path] = currentProblem(at: path) }
    touched.ids = touched.ids.filter { before.items[$0] !== items[$0] }
    touched.paths = touched.paths.filter { before.problems[$0] != problems[$0] }
    return touched
  }

  /// Paths that were refused for what others took, after some of that was released. They are to be read again.
  mutating func takeReadable() -> Set<RelativePath> { exchange(&readable, with: []) }

  /// Makes every id anew from other fields. Linear in the size of the store, and nothing where the fields are the same.
  package mutating func reidentify(by idFields: [FieldPath]) -> StoreChanges {
    guard idFields != self.idFields else { return StoreChanges() }
    self.idFields = idFields
    let broken = faults
    // Each goes before it comes: where it has no id by these fields it is no last good item either.
    var changes = apply(files.flatMap { [($0.key, .missing), ($0.key, .item($0.value.stamp, $0.value.fields))] })
    changes.formUnion(apply(broken.map { ($0.key, budget.refused.contains($0.key) ? .tooExpanded : .problem($0.value)) }))
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
      // A last good item stays, and counts.
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
    if let item {
      touched.ids.insert(item.id)
      if item.id != old?.id { claim(item) }
    }
  }

  /// Among rivals it may hold the id only until that is settled.
  private mutating func claim(_ item: Item) {
    guard let holder = items.updateValue(item, forKey: item.id) else { return }
    rivals[item.id, default: [holder.path]].insert(item.path)
  }

  private mutating func withdraw(_ path: RelativePath, from id: Item.ID, _ touched: inout StoreChanges) {
    if rivals[id]?.remove(path) == nil { items[id] = nil } else { touched.paths.insert(path) }
  }

  /// Settles who holds an id. Where there are rivals every one of them is touched: a new winner changes what the others are told.
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
      path: path, message: "The id \(item.id) is taken by \(winner.path), which comes first; give one of them another name or id.")
  }
}

extension Item.ID {
  /// The id of an item: the texts of the data set's id fields, where a number counts by its value (`3.10` is `3.1`); its path if there are no such fields.
  init(of fields: PackedValue, at path: RelativePath, by idFields: [FieldPath]) throws(Problem) {
    if idFields.isEmpty {
      self.init(path: path)
      return
    }
    var parts: [String] = []
    for field in idFields {
      guard let value = fields.value(at: field), value.isScalar, !value.text.isEmpty else {
        throw Problem(path: path, message: "The field `\(field)`, which makes the id, is missing, empty or no single value; give it one.")
      }
      parts.append(value.idText)
    }
    self.init(parts: parts)
  }
}
