import Files

/// The unit that settles: one entry, or everything below a folder.
enum DirtyPath: Hashable, Sendable {
  case entry(RelativePath)
  case subtree(RelativePath)
}

extension DirtyPaths {
  mutating func insert(_ path: DirtyPath) {
    switch path {
    case .entry(let path): files.insert(path)
    case .subtree(let path): subtrees.insert(path)
    }
  }

  func contains(_ path: DirtyPath) -> Bool {
    switch path {
    case .entry(let path): files.contains(path)
    case .subtree(let path): subtrees.contains(path)
    }
  }
}
