import LinuxFiles

/// What a watch's thread knows of git when it has read all events: by this others can tell whether git began something since, without asking it.
struct GitQuiet: Sendable {
  private struct Known {
    let folder: GitFolder
    /// Of the folder, before the events were read; `nil` where nobody has looked yet.
    var status: FileStatus?
    var isBusy = false
  }

  private var trees: [RelativePath: Known] = [:]

  /// Looks at the folders of which something was heard since the last look. To be called before the events are read.
  mutating func look(at heard: Set<RelativePath>, _ folder: (RelativePath) -> GitFolder?) {
    for tree in heard { trees[tree] = folder(tree).map { Known(folder: $0, status: $0.status) } }
  }

  /// Takes in what was heard in between, and where git is at work.
  mutating func note(_ heard: Set<RelativePath>, _ folder: (RelativePath) -> GitFolder?, isBusy: (RelativePath) -> Bool) {
    for tree in heard where trees[tree] == nil { trees[tree] = folder(tree).map { Known(folder: $0, status: nil) } }
    for (tree, known) in trees where known.isBusy != isBusy(tree) { trees[tree]?.isBusy.toggle() }
  }

  /// Whether there is nothing of git that the thread does not know of, and nothing that it knows of, in the trees that a batch reaches into. Costs a `stat` a tree.
  func holds(for batch: DirtyPaths) -> Bool {
    trees(of: batch).allSatisfy { known in !known.isBusy && known.status != nil && known.folder.status == known.status }
  }

  private func trees(of batch: DirtyPaths) -> [Known] {
    if trees.count < 2 { return Array(trees.values) }
    var folders: Set<RelativePath> = []
    for start in batch.files.map(\.parent) + batch.subtrees.map({ $0 }) {
      var folder = start
      while let current = folder, folders.insert(current).inserted { folder = current.parent }
    }
    return trees.filter { tree, _ in folders.contains(tree) || batch.subtrees.contains { tree.isBelow($0) } }.map(\.value)
  }
}
