import CLinux
import Glibc
package import SystemPackage

/// The attributes that stand for the contents of a file that is not read.
package struct FileStamp: Hashable {
  package let size: UInt64
  package let identity: FileIdentity
  package let modified: FileTime
  /// The time of the last change to the file or its attributes.
  package let changed: FileTime
  /// The time of birth, which editors that replace a file renew. Where the file system does not
  /// record it, the earlier of the other two times.
  package let created: FileTime

  /// The stamp of contents outside of any folder.
  package init(size: UInt64, at moment: FileTime) {
    self.init(size: size, modified: moment, changed: moment, created: moment)
  }

  package init(
    size: UInt64, identity: FileIdentity = FileIdentity(device: 0, inode: 0), modified: FileTime,
    changed: FileTime, created: FileTime
  ) {
    self.size = size
    self.identity = identity
    self.modified = modified
    self.changed = changed
    self.created = created
  }

  init(_ raw: clinux_stamp) {
    self.init(
      size: raw.size, identity: FileIdentity(device: raw.device, inode: raw.inode),
      modified: FileTime(seconds: raw.modified_seconds, nanoseconds: raw.modified_nanoseconds),
      changed: FileTime(seconds: raw.changed_seconds, nanoseconds: raw.changed_nanoseconds),
      created: FileTime(seconds: raw.created_seconds, nanoseconds: raw.created_nanoseconds))
  }
}

/// The identity of a file or folder. It stays the same when the file is renamed.
package struct FileIdentity: Hashable {
  package let device, inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// A point in time to the nanosecond, from 1678 to 2262. A time outside is moved to the nearer end.
package struct FileTime: Hashable {
  /// The nanoseconds since 1970 in UTC, in one number: a store keeps three per item.
  package let total: Int64

  package init(total: Int64) {
    self.total = total
  }

  package init(seconds: Int64, nanoseconds: UInt32 = 0) {
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflows) = product.addingReportingOverflow(Int64(nanoseconds))
    total = overflows || sumOverflows ? (seconds < 0 ? .min : .max) : sum
  }

  package static var now: FileTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return FileTime(seconds: Int64(time.tv_sec), nanoseconds: UInt32(clamping: time.tv_nsec))
  }

  /// The complete seconds since 1970 in UTC, rounded down.
  package var seconds: Int64 { total / 1_000_000_000 - (total % 1_000_000_000 < 0 ? 1 : 0) }

  package var nanoseconds: UInt32 {
    let rest = total % 1_000_000_000
    return UInt32(rest < 0 ? rest + 1_000_000_000 : rest)
  }
}

/// The stamp of something in a folder, and what it is. Links are not followed, and nothing is
/// opened: opening a device can already do something.
package struct FileStatus: Hashable {
  package let stamp: FileStamp
  package let mode: UInt32

  package var kind: UInt32 { mode & S_IFMT }
  package var isRegularFile: Bool { kind == S_IFREG }
  package var isEmptyFile: Bool { stamp.size == 0 && isRegularFile }

  /// Follows links on the way, but not one at the end. `AT_FDCWD` is the working directory.
  package init(in folder: CInt, _ path: UnsafePointer<CChar>) throws(Errno) {
    var raw = clinux_stamp()
    try systemCall { clinux_stat(folder, path, &raw) }
    self.init(raw)
  }

  package init(of descriptor: CInt) throws(Errno) {
    try self.init(in: descriptor, "")
  }

  /// Reads the status of `path` below an open folder, without following any link.
  package init(beneath folder: CInt, _ path: UnsafePointer<CChar>) throws(Errno) {
    var raw = clinux_stamp()
    try systemCall { clinux_stat_beneath(folder, path, &raw) }
    self.init(raw)
  }

  private init(_ raw: clinux_stamp) {
    stamp = FileStamp(raw)
    mode = raw.mode
  }

  /// Reads a small regular file in an open folder at once: its stamp, and its contents to the front of
  /// `buffer`. Returns nil if there is none of this name, which has no slash, or if it does not fit or
  /// could not be read to its end.
  package static func readSmallFile(
    in folder: CInt, _ name: UnsafePointer<CChar>, into buffer: UnsafeMutableRawBufferPointer
  ) -> FileStamp? {
    var raw = clinux_stamp()
    return clinux_read_small_file(folder, name, &raw, buffer.baseAddress, buffer.count) < 0
      ? nil : FileStamp(raw)
  }
}
