public import Files

/// The files to report and the folders to enter below a root.
///
/// The watcher's thread calls both closures for every entry and every event, so they must be fast.
/// They get the complete path below the root, not only the name.
///
/// Exclude the temporary files of editors (`notes.yaml~`, `4913`, `.notes.yaml.swp`): a path that
/// is not included neither delays nor splits the update of the file itself.
///
/// ```swift
/// let notes = WatchFilter(includesFile: { $0.name.hasSuffix(".md") && !$0.isHidden })
/// ```
public struct WatchFilter: Sendable {
  /// Returns true for a folder to enter. It is not called for the root.
  public var includesDirectory: @Sendable (RelativePath) -> Bool { didSet { byName = nil } }
  /// Returns true for an entry to list and report. It is called for folders, too, so that a folder
  /// with the name of a file can be reported.
  public var includesFile: @Sendable (RelativePath) -> Bool { didSet { byName = nil } }
  /// Answers for both closures from the bytes of an entry's name, where they suffice. A scan then
  /// makes no path for most entries. An answer that depends on the path is nil. It must agree with the
  /// closures; replacing one of them removes it.
  package var byName: (@Sendable (UnsafeRawBufferPointer) -> (includesFile: Bool?, includesDirectory: Bool?))?

  /// Creates a filter. By default it includes everything except names that begin with a dot.
  public init(
    includesDirectory: @escaping @Sendable (RelativePath) -> Bool = { !$0.isHidden },
    includesFile: @escaping @Sendable (RelativePath) -> Bool = { !$0.isHidden }
  ) {
    self.includesDirectory = includesDirectory
    self.includesFile = includesFile
  }
}

extension RelativePath {
  /// True if the last component begins with a dot.
  public var isHidden: Bool { name.utf8.first == UInt8(ascii: ".") }
}
