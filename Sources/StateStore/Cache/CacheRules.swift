import DirectoryWatch
import LinuxFiles
import PlainStore
import PlainText

/// The rules that decide what a cache may keep. Pure.
struct CacheRules: Sendable {
  /// True if the times of folders show every change of their entries.
  let trustsFolderTimes: Bool
  /// The age that a stamp must have to belong to one content alone: more than the grain of any file
  /// system's clock (FAT: two seconds), and on other machines' disks more than the difference
  /// between the clocks.
  let grain: Int64

  private static let nanoseconds: Int64 = 1_000_000_000

  init(trustsFolderTimes: Bool, grain: Int64) {
    self.trustsFolderTimes = trustsFolderTimes
    self.grain = grain
  }

  /// Makes the rules for a file system.
  ///
  /// - Parameter fileSystem: The magic number of the root's file system (`statfs`).
  init(fileSystem: Int64) {
    let isLocal = CacheRules.local.contains(fileSystem)
    self.init(trustsFolderTimes: isLocal, grain: (isLocal ? 3 : 3_600) * CacheRules.nanoseconds)
  }

  /// File systems of this machine's kernel that set the times of a folder with every change of its
  /// entries: ext2 to ext4, XFS, Btrfs, tmpfs, F2FS, ZFS, overlayfs, bcachefs.
  private static let local: Set<Int64> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0x2FC1_2FC1, 0x794C_7630, 0xCA45_1A4E,
  ]

  /// Returns true if a file or folder with this stamp was well older than the reading that began at
  /// `time`. If it changes again, its stamp changes.
  ///
  /// A change within the grain of the clock could leave the stamp as it is; and a stamp in the
  /// future comes from a clock that was set back, so that it may come again.
  func isSettled(_ stamp: FileStamp, at time: FileTime) -> Bool {
    let (latest, overflows) = time.total.subtractingReportingOverflow(grain)
    return !overflows && stamp.changed.total < latest && stamp.modified.total < latest
  }

  /// Returns true if a file's value may be kept.
  func mayKeep(_ item: Item, of folder: ReadFolder) -> Bool {
    item.fields.bytes.count <= CacheLayout.maxValueSize && item.stamp.identity.device == folder.listing.stamp?.identity.device
      && isSettled(item.stamp, at: folder.began)
  }

  /// Returns true if a folder need not be listed again as long as it has its stamp.
  func mayList(_ folder: ReadFolder) -> Bool {
    guard trustsFolderTimes, let stamp = folder.listing.stamp else { return false }
    return isSettled(stamp, at: folder.began)
  }
}
