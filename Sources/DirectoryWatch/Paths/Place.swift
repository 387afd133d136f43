/// What settles as one: an entry, or everything below a folder.
enum Place: Hashable, Sendable {
  case entry(RelativePath)
  case subtree(RelativePath)
}

extension DirtyPaths {
  mutating func insert(_ place: Place) {
    switch place {
    case .entry(let path): files.insert(path)
    case .subtree(let path): subtrees.insert(path)
    }
  }

  func contains(_ place: Place) -> Bool {
    switch place {
    case .entry(let path): files.contains(path)
    case .subtree(let path): subtrees.contains(path)
    }
  }
}
