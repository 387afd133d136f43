package import Files
import Glibc
package import SystemPackage

extension Problem {
  /// Makes the problem of something with an item's extension that is not a file.
  package init(path: RelativePath, isNoFileBut kind: UInt32) {
    self.init(path: path, message: "This is \(FileKind.name(of: kind)), not a file; it was not opened.")
  }

  /// Makes the problem of a system call that failed on a file.
  ///
  /// - Parameter action: The past participle of what was tried, such as "read".
  package init(path: RelativePath, action: String, _ error: Errno) {
    self.init(path: path, message: "The file cannot be \(action): \(error.reason).")
    isTransient = error != .fileNameTooLong
    self.error = error
  }
}

/// The words for what is at a path.
package enum FileKind {
  /// Returns the kind with its article, such as "a folder".
  package static func name(of type: UInt32) -> String {
    switch type {
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link (links are not followed)"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something unknown"
    }
  }
}
