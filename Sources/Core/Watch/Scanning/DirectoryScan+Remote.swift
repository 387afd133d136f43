import CLinux

/// The file systems that other machines or programs can change unknown to this kernel, so that
/// inotify misses changes.
extension DirectoryScan {
  /// Magic numbers from statfs(2) and <linux/magic.h>.
  private static let remoteFileSystems: [Int64: String] = [
    0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "SMB", 0xFE53_4D42: "SMB", 0x6573_5546: "FUSE",
    0x0102_1997: "9p",
    0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda", 0x0116_1970: "GFS2",
    0x7461_636F: "OCFS2",
    0x786F_4256: "a folder of VirtualBox", 0x6A65_6A63: "virtiofs",
  ]

  /// Returns the name of the remote file system of a path; nil if inotify reports every change, or if
  /// the file system is unknown.
  static func remoteFileSystem(at path: String) -> String? {
    remoteFileSystem(magic: clinux_filesystem(path))
  }

  /// Returns the name of the remote file system with a magic number. Overlayfs is not one: it
  /// reports every change made through it, and its layers must not change while it is mounted.
  static func remoteFileSystem(magic: Int64) -> String? { remoteFileSystems[magic] }
}
