import Store

/// The rules that decide what a cache may keep. Pure.
struct CacheRules {
  /// True if the time of a file's last change is the kernel's own, so that no program can set it.
  var keepsValues = true
  /// True if the times of folders show every change of their entries.
  let trustsFolderTimes: Bool
  /// The age from which a stamp belongs to one content: more than the grain of any file system's clock.
  let grain: Int64
  /// The device of the root; nil for any. Nothing of other devices is kept: their kind may differ.
  var device: UInt64?

}

extension CacheRules {
  private static let nanoseconds: Int64 = 1_000_000_000
  private static let overlay: Int64 = 0x794C_7630

  /// - Parameter fileSystem: The magic number of the root's file system (`statfs`).
  init(fileSystem: Int64, device: UInt64) {
    let isLocal = CacheRules.local.contains(fileSystem)
    // An overlay's folder has the times of its upper layer. They don't show what was added to a
    // lower layer while the overlay wasn't mounted.
    self.init(
      keepsValues: isLocal || fileSystem == CacheRules.overlay, trustsFolderTimes: isLocal,
      grain: 3 * CacheRules.nanoseconds,
      device: device)
  }

  /// File systems of this machine's kernel that set the times of a file with every change of it, and
  /// those of a folder with every change of its entries: ext2 to ext4, XFS, Btrfs, tmpfs, F2FS, ZFS,
  /// bcachefs. On others (FAT, images) a program can choose all times of a file.
  private static let local: Set<Int64> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E,
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

  func mayKeep(_ item: Item, of folder: ReadFolder) -> Bool {
    keepsValues && item.fields.bytes.count <= CacheLayout.maxValueSize
      && item.stamp.identity.device == folder.listing.stamp?.identity.device && isOnDevice(item.stamp)
      && isSettled(item.stamp, at: folder.began)
  }

  /// Returns true if a folder need not be listed again as long as it has its stamp.
  func mayList(_ folder: ReadFolder) -> Bool {
    guard trustsFolderTimes, let stamp = folder.listing.stamp else { return false }
    return isOnDevice(stamp) && isSettled(stamp, at: folder.began)
  }

  private func isOnDevice(_ stamp: FileStamp) -> Bool { device.map { $0 == stamp.identity.device } ?? true }
}
