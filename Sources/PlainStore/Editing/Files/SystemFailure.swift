import DirectoryWatch
import Glibc

/// A failed system call of a save.
struct SystemFailure: Error {
  /// The action, as the beginning of "… failed".
  let action: String
  let errno: CInt
  /// A sentence about the state of the file afterwards.
  let consequence: String

  init(_ action: String, _ errno: CInt, consequence: String = "Nothing was changed.") {
    self.action = action
    self.errno = errno
    self.consequence = consequence
  }

  var code: EditError.Code { SystemFailure.code(errno) }

  var sentence: String { "\(action) failed: \(SystemFailure.reason(errno)). \(consequence)" }

  /// Returns the failure with more sentences about its consequences.
  func adding(_ sentences: [String]) -> SystemFailure {
    SystemFailure(action, errno, consequence: ([consequence] + sentences).joined(separator: " "))
  }

  static func reason(_ errno: CInt) -> String {
    switch errno {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the quota is used up"
    case EROFS: "the file system is read-only"
    case EFBIG: "the file would be larger than is allowed (`ulimit -f`)"
    case ENAMETOOLONG: "the name is longer than the file system allows"
    case ELOOP, EXDEV: "the path leads through a symbolic link, which is not followed"
    case ENOTDIR: "a part of the path is not a folder"
    case EBUSY: "another program is using it"
    default: FileKind.reason(errno)
    }
  }

  static func code(_ errno: CInt) -> EditError.Code {
    switch errno {
    case EACCES, EPERM: .permissionDenied
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .noSpace
    case EEXIST: .exists
    case EBUSY: .busy
    case ENAMETOOLONG, ELOOP, EXDEV, ENOTDIR: .invalidID
    default: .system
    }
  }
}
