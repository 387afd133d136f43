/// The reason why a folder cannot be watched or read.
///
/// Its description says what happened, where, and what to do.
public struct WatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error. More kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The folder does not exist.
    public static let notFound = Code(.notFound)
    /// The path is not a folder, or its links lead in a circle.
    public static let notADirectory = Code(.notADirectory)
    /// The folder may not be read.
    public static let permissionDenied = Code(.permissionDenied)
    /// The user has no inotify watches left (`fs.inotify.max_user_watches`).
    public static let noWatchesLeft = Code(.noWatchesLeft)
    /// The user has no inotify instances left (`fs.inotify.max_user_instances`).
    public static let noInstancesLeft = Code(.noInstancesLeft)
    /// The process or the system has too many files open.
    public static let tooManyOpenFiles = Code(.tooManyOpenFiles)
    /// The path is longer than the kernel accepts (4,095 bytes).
    public static let pathTooLong = Code(.pathTooLong)
    /// The kernel is out of memory.
    public static let outOfMemory = Code(.outOfMemory)
    /// The disk or the network file system failed.
    public static let inputOutput = Code(.inputOutput)
    /// Another error; see ``WatchError/errno``.
    public static let other = Code(.other)

    private enum Name: String {
      case notFound, notADirectory, permissionDenied, noWatchesLeft, noInstancesLeft
      case tooManyOpenFiles, pathTooLong, outOfMemory, inputOutput, other
    }

    private let name: Name

    private init(_ name: Name) {
      self.name = name
    }

    /// The name of the code, such as `notFound`.
    public var description: String { name.rawValue }
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
