package import CLinux
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

  /// A point in time to the nanosecond, between the years 1678 and 2262; what lies outside is taken to the nearer end.
  public struct Moment: Sendable, Hashable {
    // One number: a store keeps three moments of each of its items.
    private let total: Int64

    package init(seconds: Int64, nanoseconds: UInt32) {
      let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, isOverToo) = product.addingReportingOverflow(Int64(nanoseconds))
      total = isOver || isOverToo ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole seconds since 1970 in UTC, rounded down.
    public var seconds: Int64 { total / 1_000_000_000 - (total % 1_000_000_000 < 0 ? 1 : 0) }
    /// Counted forward from `seconds`.
    public var nanoseconds: UInt32 {
      let rest = total % 1_000_000_000
      return UInt32(rest < 0 ? rest + 1_000_000_000 : rest)
    }
  }

  /// Of what lies in no folder: as if it had been written at one moment and left alone.
  package init(size: UInt64, at moment: Moment) {
    self.size = size
    (inode, device) = (0, 0)
    (modified, changed, created) = (moment, moment, moment)
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
