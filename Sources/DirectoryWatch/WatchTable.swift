/// Which watch stands for which folder, both ways, and which folders lie in which.
struct WatchTable {
  private var paths: [Int32: RelativePath] = [:]
  private var watches: [RelativePath: Int32] = [:]
  private var children: [RelativePath: Set<RelativePath>] = [:]

  var count: Int { paths.count }

  func path(of watch: Int32) -> RelativePath? { paths[watch] }

  func contains(_ path: RelativePath) -> Bool { watches[path] != nil }

  /// Notes that `watch` is the folder at `path`. It may have been somewhere else, and the path may have been another folder: then that one is
  /// returned, and is to be removed from the kernel.
  mutating func set(_ watch: Int32, _ path: RelativePath) -> Int32? {
    if let old = paths[watch] {
      if old == path { return nil }
      forget(old, watch)
    }
    let replaced = watches.updateValue(watch, forKey: path)
    if let replaced { paths[replaced] = nil }
    paths[watch] = path
    if let parent = path.parent { children[parent, default: []].insert(path) }
    return replaced
  }

  /// Drops a watch that the kernel has dropped.
  mutating func remove(_ watch: Int32) {
    if let path = paths[watch] { forget(path, watch) }
  }

  /// Drops the folder and all below it, and returns their watches. Linear in their number.
  mutating func removeTree(_ top: RelativePath) -> [Int32] {
    var removed: [Int32] = []
    var toDo = [top]
    while let path = toDo.popLast() {
      if let below = children[path] { toDo.append(contentsOf: below) }
      if let watch = watches[path] {
        removed.append(watch)
        forget(path, watch)
      }
    }
    return removed
  }

  private mutating func forget(_ path: RelativePath, _ watch: Int32) {
    paths[watch] = nil
    if watches[path] == watch { watches[path] = nil }
    guard let parent = path.parent else { return }
    children[parent]?.remove(path)
    if children[parent]?.isEmpty == true { children[parent] = nil }
  }
}
