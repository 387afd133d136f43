import Files

/// Maps each watched folder to its watch, and each watch to the paths of its folder.
///
/// The kernel has one watch per directory, no matter how many paths it has: a bind mount shows one
/// directory at several paths.
struct WatchTable {
  /// Each list is in byte order, so that the two events of one rename name the paths of their
  /// folders in the same order.
  private var paths: [Int32: [RelativePath]] = [:]
  private var watches: [RelativePath: Int32] = [:]
  /// For every folder on the way to a watched one, its children on the way.
  private var children: [RelativePath: Set<RelativePath>] = [:]

  var count: Int { paths.count }

  func paths(of watch: Int32) -> [RelativePath] { paths[watch] ?? [] }

  func contains(_ path: RelativePath) -> Bool { watches[path] != nil }

  func contains(watch: Int32) -> Bool { paths[watch] != nil }

  /// Adds a path to a watch. Returns the watches that have no path now, to be removed from the kernel: those
  /// of another folder at the path and below.
  mutating func set(_ watch: Int32, _ path: RelativePath) -> [Int32] {
    let old = watches[path]
    if old == watch { return [] }
    let replaced = old == nil ? [] : removeTree(path)
    watches[path] = watch
    let others = paths[watch] ?? []
    paths[watch] = (others + [path]).sorted()
    link(path)
    return replaced
  }

  /// Removes a watch that the kernel has dropped, with all of its paths.
  mutating func remove(_ watch: Int32) {
    for path in paths(of: watch) { forget(path, watch) }
  }

  /// Removes the path of a folder and all paths below it. Returns the watches that have no path now.
  mutating func removeTree(_ top: RelativePath) -> [Int32] {
    var removed: [Int32] = []
    var toDo = [top]
    while let path = toDo.popLast() {
      if let below = children[path] { toDo.append(contentsOf: below) }
      guard let watch = watches[path] else { continue }
      forget(path, watch)
      if paths[watch] == nil { removed.append(watch) }
    }
    return removed
  }

  private mutating func forget(_ path: RelativePath, _ watch: Int32) {
    paths[watch]?.removeAll { $0 == path }
    if paths[watch]?.isEmpty == true { paths[watch] = nil }
    if watches[path] == watch { watches[path] = nil }
    unlink(path)
  }

  private mutating func link(_ path: RelativePath) {
    var path = path
    while let parent = path.parent, children[parent, default: []].insert(path).inserted { path = parent }
  }

  private mutating func unlink(_ path: RelativePath) {
    var path = path
    while watches[path] == nil, children[path] == nil, let parent = path.parent {
      children[parent]?.remove(path)
      if children[parent]?.isEmpty == true { children[parent] = nil }
      path = parent
    }
  }
}
