/// Why a folder cannot be watched or read.
///
/// Every error of every system call that this module makes becomes one of these, with a sentence that says what happened, where and what to do.
public struct WatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of reasons. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// There is no such folder.
    public static let notFound = Code(.notFound)
    /// The path does not lead to a folder.
    public static let notADirectory = Code(.notADirectory)
    /// The permissions of the folder, or of one above it, do not allow it.
    public static let permissionDenied = Code(.permissionDenied)
    /// The user's inotify watches are used up (`fs.inotify.max_user_watches`).
    public static let noWatchesLeft = Code(.noWatchesLeft)
    /// The user's inotify instances are used up (`fs.inotify.max_user_instances`).
    public static let noInstancesLeft = Code(.noInstancesLeft)
    /// The process or the system has too many open files.
    public static let tooManyOpenFiles = Code(.tooManyOpenFiles)
    /// The path is longer than the kernel takes (4,095 bytes).
    public static let pathTooLong = Code(.pathTooLong)
    /// The system has no memory left.
    public static let outOfMemory = Code(.outOfMemory)
    /// The device or the file server failed.
    public static let inputOutput = Code(.inputOutput)
    /// Any other reason; `errno` has the number.
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

  public let code: Code
  /// The root as it was given, and below it the printed path.
  public let path: String
  /// The number that the system call left; 0 where there was none.
  public let errno: Int32
  /// A whole sentence.
  public let description: String
}
