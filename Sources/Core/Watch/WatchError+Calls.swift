import Files
import Glibc
import SystemPackage

extension WatchError {
  /// Returns the error for a folder that cannot be opened.
  package static func opening(_ path: String, _ errno: Int32) -> WatchError {
    let advice =
      switch errno {
      case ENOENT: "There is no folder `\(path)`."
      case ENOTDIR: "\(path) is not a folder."
      case EACCES, EPERM:
        "The folder \(path) cannot be opened: permission denied. Check its permissions and those of the folders above it."
      case ELOOP: "The links at \(path) lead in a circle."
      case ENAMETOOLONG:
        "The path \(path) is longer than Linux accepts (4,095 bytes); move the folder closer to /."
      default: "The folder \(path) cannot be opened: \(Errno(rawValue: errno).reason)."
      }
    return WatchError(code: code(errno), path: path, errno: errno, description: advice)
  }

  /// Returns the error for a folder that was opened but cannot be listed completely.
  static func listing(_ path: String, _ errno: Int32) -> WatchError {
    WatchError(
      code: code(errno), path: path, errno: errno,
      description: "The folder \(path) cannot be listed: \(Errno(rawValue: errno).reason).")
  }

  /// Returns the error of `inotify_init1`.
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

  /// Returns the error of `inotify_add_watch`.
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
