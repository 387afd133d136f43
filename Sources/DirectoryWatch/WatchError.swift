/// Why a folder cannot be watched or read.
///
/// Every error of every system call that this module makes becomes one of these, with a sentence that says what happened, where and what to do.
public struct WatchError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    case notFound
    case notADirectory
    case permissionDenied
    /// The user's inotify watches are used up (`fs.inotify.max_user_watches`).
    case noWatchesLeft
    /// The user's inotify instances are used up (`fs.inotify.max_user_instances`).
    case noInstancesLeft
    case tooManyOpenFiles
    /// The path is longer than the kernel takes (4,095 bytes).
    case pathTooLong
    case outOfMemory
    case inputOutput
    case other
  }

  public let code: Code
  /// The root as it was given, and below it the printed path.
  public let path: String
  /// The number that the system call left; 0 where there was none.
  public let errno: Int32
  /// A whole sentence.
  public let description: String
}
