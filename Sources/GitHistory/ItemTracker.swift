import DirectoryWatch
import PlainStore
import PlainText

/// Finds one item in what commits did. It is asked about each commit before those that it comes from.
protocol ItemTracker {
  /// What the commit did to the item, against one of its parents. Nil where it did nothing.
  mutating func sides(of step: CommitStep, parent: Int) -> FileChange?
}

/// An item that is known by its path, under whatever name it had at a commit.
struct PathTracker: ItemTracker {
  private let id: Item.ID
  private let rules: PathRules
  /// Older names of the item, by the commits at which it has them.
  private var names: [String: Set<RelativePath>] = [:]

  init(_ id: Item.ID, _ rules: PathRules) {
    self.id = id
    self.rules = rules
  }

  mutating func sides(of step: CommitStep, parent: Int) -> FileChange? {
    var known = names[step.commit.id] ?? []
    var result: FileChange?
    for change in step.changes[parent] {
      let (isOld, isNew) = (has(change.old?.path, known), has(change.new?.path, known))
      guard isOld || isNew else { continue }
      if let path = change.new?.path { known.remove(path) }
      if isNew, let old = change.old { known.insert(old.path) }
      // It went under another name: this id's item is gone.
      let found = FileChange(old: change.old, new: isNew ? change.new : nil)
      result = result.map { $0.joined(with: found) } ?? found
    }
    if step.commit.parents.indices.contains(parent), !known.isEmpty { names[step.commit.parents[parent], default: []].formUnion(known) }
    return result
  }

  private func has(_ path: RelativePath?, _ known: Set<RelativePath>) -> Bool {
    guard let path else { return false }
    return known.contains(path) || (rules.reaches(path) && Item.ID(path: path) == id)
  }
}

/// An item that is known by its fields, in whatever file it is.
struct FieldTracker: ItemTracker {
  private let id: Item.ID
  private let items: [FileVersion: Result<Item, Problem>]

  init(_ id: Item.ID, _ items: [FileVersion: Result<Item, Problem>]) {
    self.id = id
    self.items = items
  }

  func sides(of step: CommitStep, parent: Int) -> FileChange? {
    let changes = step.changes[parent]
    let old = changes.compactMap(\.old).filter(isItem).min { $0.path < $1.path }
    let new = changes.compactMap(\.new).filter(isItem).min { $0.path < $1.path }
    guard old != nil || new != nil else { return nil }
    // The file that had it may be broken now.
    let broken = new == nil ? changes.first { $0.old == old && isBroken($0.new) }?.new : nil
    return FileChange(old: old, new: new ?? broken)
  }

  private func isItem(_ version: FileVersion) -> Bool {
    if case .success(let item)? = items[version] { item.id == id } else { false }
  }

  private func isBroken(_ version: FileVersion?) -> Bool {
    if let version, case .failure? = items[version] { true } else { false }
  }
}
