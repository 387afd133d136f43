import CLinux
import Glibc
package import SystemPackage

/// The stamp of something in a folder, and what it is. Links are not followed, and nothing is
/// opened: opening a device can already do something.
package struct FileStatus: Sendable, Hashable {
  package let stamp: FileStamp
  /// The `st_mode` of `stat(2)`: the kind and the permissions.
  package let mode: UInt32

  package var kind: UInt32 { mode & S_IFMT }
  package var isRegularFile: Bool { kind == S_IFREG }
  package var isEmptyFile: Bool { stamp.size == 0 && isRegularFile }

  /// Reads the status of `path` from an open folder, or from the working directory for
  /// `AT_FDCWD`. Links on the way are followed, one at the end is not.
  package init(in folder: CInt, _ path: UnsafePointer<CChar>) throws(Errno) {
    var raw = clinux_stamp()
    try systemCall { clinux_stat(folder, path, &raw) }
    self.init(raw)
  }

  package init(of descriptor: CInt) throws(Errno) {
    try self.init(in: descriptor, "")
  }

  /// Reads the status of `path` below an open folder, without following a link or leaving the
  /// folder.
  package init(beneath folder: CInt, _ path: UnsafePointer<CChar>) throws(Errno) {
    var raw = clinux_stamp()
    try systemCall { clinux_stat_beneath(folder, path, &raw) }
    self.init(raw)
  }

  private init(_ raw: clinux_stamp) {
    stamp = FileStamp(raw)
    mode = raw.mode
  }

  /// Reads a small regular file in an open folder at once: its stamp, and its contents to the front
  /// of `buffer`.
  ///
  /// - Parameter name: A name without a slash.
  /// - Returns: The stamp, whose size is that of the contents; nil if there is no such file, or if
  ///   it does not fit or could not be read to its end.
  package static func readSmallFile(
    in folder: CInt, _ name: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
  ) -> FileStamp? {
    var raw = clinux_stamp()
    return clinux_read_small_file(folder, name, &raw, buffer.baseAddress, buffer.count) < 0
      ? nil : FileStamp(raw)
  }
}
