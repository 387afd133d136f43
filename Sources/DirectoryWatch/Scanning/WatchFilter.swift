/// What to look at below a root.
///
/// Both closures are asked on the watch's own thread and for every entry and event, so they must be fast; they get whole paths, not only names.
/// What an editor leaves beside a file while it saves it (`notes.yaml~`, `4913`, `.notes.yaml.swp`) is best kept out here: what is not included
/// neither delays nor splits the update of the file itself.
///
/// ```swift
/// let notes = WatchFilter(includesFile: { $0.name.hasSuffix(".md") && !$0.isHidden })
/// ```
public struct WatchFilter: Sendable {
  /// Whether to go into this folder. The root is not asked about.
  public var includesDirectory: @Sendable (RelativePath) -> Bool
  /// Whether to list and report this entry. Folders are asked about too: one that has a file's name is worth a complaint.
  public var includesFile: @Sendable (RelativePath) -> Bool

  /// By default everything but hidden names.
  public init(
    includesDirectory: @escaping @Sendable (RelativePath) -> Bool = { !$0.isHidden },
    includesFile: @escaping @Sendable (RelativePath) -> Bool = { !$0.isHidden }
  ) {
    self.includesDirectory = includesDirectory
    self.includesFile = includesFile
  }
}

extension RelativePath {
  /// Whether the last component begins with a dot.
  public var isHidden: Bool { name.utf8.first == UInt8(ascii: ".") }
}
