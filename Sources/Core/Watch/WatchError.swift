import Files
import Glibc
import SystemPackage

/// The reason why a folder cannot be watched or read.
///
/// Its description says what happened, where, and what to do.
public struct WatchError: Error, Hashable, CustomStringConvertible {
  /// The kind of an error. More kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The folder does not exist.
    public static let notFound = Code(description: "notFound")
    /// The path is not a folder, or its links lead in a circle.
    public static let notADirectory = Code(description: "notADirectory")
    /// The folder may not be read.
    public static let permissionDenied = Code(description: "permissionDenied")
    /// The user has no inotify watches left (`fs.inotify.max_user_watches`).
    public static let noWatchesLeft = Code(description: "noWatchesLeft")
    /// The user has no inotify instances left (`fs.inotify.max_user_instances`).
    public static let noInstancesLeft = Code(description: "noInstancesLeft")
    /// The process or the system has too many files open.
    public static let tooManyOpenFiles = Code(description: "tooManyOpenFiles")
    /// The path is longer than the kernel accepts (4,095 bytes).
    public static let pathTooLong = Code(description: "pathTooLong")
    /// The kernel is out of memory.
    public static let outOfMemory = Code(description: "outOfMemory")
    /// The disk or the network file system failed.
    public static let inputOutput = Code(description: "inputOutput")
    /// Another error; see ``WatchError/errno``.
    public static let other = Code(description: "other")

    /// The name of the code, such as `notFound`.
    public let description: String
  }

  /// The kind of this error.
  public let code: Code
  /// The root as the caller gave it, followed by the printed path below it.
  public let path: String
  /// The errno of the system call; 0 if there was none.
  public let errno: Int32
  /// A complete sentence.
  public let description: String
  /// The sentences of the description that say what to do; nil if there are none.
  package private(set) var advice: String?

  package static func opening(_ path: String, _ errno: Int32) -> WatchError {
    let sentence =
      switch errno {
      case ENOENT: "There is no folder `\(path)`."
      case ENOTDIR: "\(path) is not a folder."
      case EACCES, EPERM:
        "The folder \(path) cannot be opened: permission denied."
      case ELOOP: "The links at \(path) lead in a circle."
      case ENAMETOOLONG:
        "The path \(path) is longer than Linux accepts (4,095 bytes); move the folder closer to /."
      default: "The folder \(path) cannot be opened: \(Errno(rawValue: errno).reason)."
      }
    let code = code(errno)
    guard code == .permissionDenied else {
      return WatchError(code: code, path: path, errno: errno, description: sentence)
    }
    let advice = "Check its permissions and those of the folders above it."
    return WatchError(
      code: code, path: path, errno: errno, description: "\(sentence) \(advice)", advice: advice)
  }

  /// Returns the error for a folder that was opened but cannot be listed completely.
  static func listing(_ path: String, _ errno: Int32) -> WatchError {
    WatchError(
      code: code(errno), path: path, errno: errno,
      description: "The folder \(path) cannot be listed: \(Errno(rawValue: errno).reason).")
  }

  static func makingInotify(_ root: String, _ errno: Int32) -> WatchError {
    let code: Code = errno == EMFILE ? .noInstancesLeft : code(errno)
    let advice =
      switch errno {
      case EMFILE:
        "this user has no inotify instances left, or this process has too many open files; raise fs.inotify.max_user_instances (sysctl) or `ulimit -n`"
      default: "inotify is not available: \(Errno(rawValue: errno).reason)"
      }
    return WatchError(
      code: code, path: root, errno: errno, description: "\(root) cannot be watched: \(advice).")
  }

  static func watching(_ path: String, _ errno: Int32) -> WatchError {
    let code: Code = errno == ENOSPC ? .noWatchesLeft : code(errno)
    let advice =
      switch errno {
      case ENOSPC: "this user has no inotify watches left; raise fs.inotify.max_user_watches (sysctl)"
      case EACCES, EPERM: "permission denied; check its permissions"
      default: Errno(rawValue: errno).reason
      }
    return WatchError(
      code: code, path: path, errno: errno, description: "The folder \(path) cannot be watched: \(advice).")
  }

  /// Returns the error of a call that the watcher itself depends on: `read` of an inotify
  /// descriptor, `eventfd`, `pthread_create`.
  static func running(_ call: String, _ root: String, _ errno: Int32) -> WatchError {
    WatchError(
      code: code(errno), path: root, errno: errno,
      description: "\(root) cannot be watched: \(call) failed: \(Errno(rawValue: errno).reason).")
  }

  /// True if the same call may succeed later without an event. Regained permissions usually cause
  /// an event, but not always.
  package var isTransient: Bool {
    switch code {
    case .tooManyOpenFiles, .outOfMemory, .inputOutput, .permissionDenied, .other: true
    default: false
    }
  }

  /// True if inotify is not available here but polling would work.
  var meansPolling: Bool {
    switch code {
    case .noWatchesLeft, .noInstancesLeft, .tooManyOpenFiles, .outOfMemory, .other, .inputOutput: true
    default: false
    }
  }

  private static func code(_ errno: Int32) -> Code {
    switch errno {
    case ENOENT: .notFound
    case ENOTDIR, ELOOP: .notADirectory
    case EACCES, EPERM: .permissionDenied
    case EMFILE, ENFILE: .tooManyOpenFiles
    case ENAMETOOLONG: .pathTooLong
    case ENOMEM: .outOfMemory
    case EIO, ESTALE, EREMOTEIO: .inputOutput
    default: .other
    }
  }
}

extension Descriptor {
  /// Opens the root. Links are followed: the root may be one.
  static func root(_ root: RootPath) throws(WatchError) -> Descriptor {
    do throws(Errno) {
      return try Descriptor.folder(root.absolute)
    } catch {
      throw .opening(root.given, error.rawValue)
    }
  }
}
