import Files
import Glibc
import SystemPackage

/// A failed system call of a save.
struct SystemFailure: Error {
  /// The action, as the beginning of "… failed".
  let action: String
  let errno: CInt
  /// A sentence about the state of the file afterwards.
  let consequence: String

  init(_ action: String, _ error: Errno, consequence: String = "Nothing was changed.") {
    self.init(action, error.rawValue, consequence: consequence)
  }

  init(_ action: String, _ errno: CInt, consequence: String = "Nothing was changed.") {
    self.action = action
    self.errno = errno
    self.consequence = consequence
  }

  var code: EditError.Code { SystemFailure.code(errno) }

  var sentence: String { "\(action) failed: \(Errno(rawValue: errno).reason). \(consequence)" }

  /// Returns the failure with more sentences about its consequences.
  func adding(_ sentences: [String]) -> SystemFailure {
    SystemFailure(action, errno, consequence: ([consequence] + sentences).joined(separator: " "))
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
