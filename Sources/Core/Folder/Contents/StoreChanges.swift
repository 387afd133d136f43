package import Files
import HashTreeCollections
package import Query

/// The ids and paths that changed in one scan. Their old and new values are in the states before
/// and after it.
package struct StoreChanges: Sendable {
  /// The ids whose items were added, removed or changed.
  package var ids: Set<Item.ID> = []
  /// The paths whose problems were added, removed or changed.
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
  /// The differences between two states. O(n).
  package init(from old: StoreState, to new: StoreState) {
    self.init()
    for (id, item) in new.items where old.items[id] !== item { ids.insert(id) }
    for (id, _) in old.items where new.items[id] == nil { ids.insert(id) }
    for (path, problem) in new.problems where old.problems[path] != problem { paths.insert(path) }
    for (path, _) in old.problems where new.problems[path] == nil { paths.insert(path) }
  }
}
