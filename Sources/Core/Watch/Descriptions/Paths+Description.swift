import Files

// The lines that events, batches and listings print as.

extension WatchEvent: CustomStringConvertible {
  /// The paths of a batch, or `tick`.
  public var description: String {
    switch self {
    case .dirty(let paths): paths.description
    case .tick: "tick"
    }
  }
}

extension DirtyPaths: CustomStringConvertible {
  private static let maxNames = 20

  /// The files, then the folders with a `/`, then git if it is the origin: `a.md notes/ (git)`.
  /// Long batches are shortened.
  public var description: String {
    let names = files.sorted().map(\.description) + subtrees.sorted().map { "\($0)/" }
    if names.isEmpty { return "nothing" }
    let more = names.count > DirtyPaths.maxNames ? " and \(names.count - DirtyPaths.maxNames) more" : ""
    return names.prefix(DirtyPaths.maxNames).joined(separator: " ") + more + (origin == .git ? " (git)" : "")
  }
}

extension FoundEntry: CustomStringConvertible {
  /// The path and the kind: `notes (directory)`.
  public var description: String { "\(path) (\(kind))" }
}

extension DirectoryScan.Listing: CustomStringConvertible {
  /// The number of entries: `12 entries, 1 unreadable folder`.
  public var description: String {
    let entries = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
    let folders = unreadable.count == 1 ? "1 unreadable folder" : "\(unreadable.count) unreadable folders"
    return unreadable.isEmpty ? entries : "\(entries), \(folders)"
  }
}

extension DirectoryScan.Unreadable: CustomStringConvertible {
  /// The error, which names the folder.
  public var description: String { error.description }
}
