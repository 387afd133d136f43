import CLinux
import Glibc

/// What tells one state of a file from another without reading it, and what the pseudo-fields are made of.
public struct FileStamp: Sendable, Hashable {
  /// Bytes.
  public let size: UInt64
  public let inode: UInt64
  public let device: UInt64
  public let modified: Moment
  public let changed: Moment
  /// When the file was born; editors that replace a file renew it. Where the file system does not know, the earlier of the other two.
  public let created: Moment

  public struct Moment: Sendable, Hashable {
    /// Seconds since 1970 in UTC.
    public let seconds: Int64
    public let nanoseconds: UInt32
  }

  package init(_ raw: clinux_stamp) {
    size = raw.size
    inode = raw.inode
    device = raw.device
    modified = Moment(seconds: raw.modified_seconds, nanoseconds: raw.modified_nanoseconds)
    changed = Moment(seconds: raw.changed_seconds, nanoseconds: raw.changed_nanoseconds)
    created = Moment(seconds: raw.created_seconds, nanoseconds: raw.created_nanoseconds)
  }
}
