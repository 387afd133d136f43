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
  /// makes no path for most entries. It must agree with the closures; replacing one of them removes
  /// it.
  package var byName: (@Sendable (UnsafeRawBufferPointer) -> NameVerdict)?

  /// Creates a filter. By default it includes everything except names that begin with a dot.
  ///
  /// - Parameters:
  ///   - includesDirectory: Returns true for a folder to enter.
  ///   - includesFile: Returns true for an entry to list and report.
  public init(
    includesDirectory: @escaping @Sendable (RelativePath) -> Bool = { !$0.isHidden },
    includesFile: @escaping @Sendable (RelativePath) -> Bool = { !$0.isHidden }
  ) {
    self.includesDirectory = includesDirectory
    self.includesFile = includesFile
  }
}

/// The answers of a filter that follow from an entry's name; nil for one that depends on the path.
package struct NameVerdict: Sendable {
  package let includesFile: Bool?
  package let includesDirectory: Bool?

  /// Both answers are no.
  package static let excluded = NameVerdict(includesFile: false, includesDirectory: false)
  /// Both answers depend on the path.
  package static let unknown = NameVerdict(includesFile: nil, includesDirectory: nil)

  package init(includesFile: Bool?, includesDirectory: Bool?) {
    self.includesFile = includesFile
    self.includesDirectory = includesDirectory
  }
}

extension RelativePath {
  /// True if the last component begins with a dot.
  public var isHidden: Bool { name.utf8.first == UInt8(ascii: ".") }
}
