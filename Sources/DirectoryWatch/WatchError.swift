/// The reason why a folder cannot be watched or read.
///
/// Its description says what happened, where, and what to do.
public struct WatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  public enum Code: Sendable, Hashable {
    /// The folder does not exist.
    case notFound
    /// The path is not a folder, or its links lead in a circle.
    case notADirectory
    /// The folder may not be read.
    case permissionDenied
    /// The user has no inotify watches left (`fs.inotify.max_user_watches`).
    case noWatchesLeft
    /// The user has no inotify instances left (`fs.inotify.max_user_instances`).
    case noInstancesLeft
    /// The process or the system has too many files open.
    case tooManyOpenFiles
    /// The path is longer than the kernel accepts (4,095 bytes).
    case pathTooLong
    /// The kernel is out of memory.
    case outOfMemory
    /// The disk or the network file system failed.
    case inputOutput
    /// Another error; see ``WatchError/errno``.
    case other
  }

  /// The kind of this error.
  public let code: Code
  /// The root as the caller gave it, followed by the printed path below it.
  public let path: String
  /// The errno of the system call; 0 if there was none.
  public let errno: Int32
  /// A complete sentence.
  public let description: String
}
