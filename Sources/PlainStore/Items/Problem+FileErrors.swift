package import DirectoryWatch
import Glibc
import LinuxFiles
import SystemPackage

extension Problem {
  /// Something other than a file has an item's extension.
  package init(path: RelativePath, isNoFileBut kind: UInt32) {
    self.init(path: path, message: "This is \(FileKind.name(of: kind)), not a file; it was not opened.")
  }

  init(openingRoot root: String, _ error: Errno) {
    self.init(path: .root, message: WatchError.opening(root, error.rawValue).description)
    isTransient = true
    self.error = error
  }

  /// What the system said when something was to be done with a file.
  init(path: RelativePath, action: String, _ error: Errno) {
    self.init(path: path, message: "The file cannot be \(action): \(error.reason).")
    isTransient = error != .fileNameTooLong
    self.error = error
  }
}

enum FileKind {
  static func name(of type: UInt32) -> String {
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
