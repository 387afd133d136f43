import CLinux

/// A file system on which others change files without this kernel knowing, so that inotify is blind to it.
struct RemoteFileSystem: CustomStringConvertible {
  let description: String

  /// Magic numbers from statfs(2) and <linux/magic.h>.
  private static let names: [Int64: String] = [
    0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "SMB", 0xFE53_4D42: "SMB", 0x6573_5546: "FUSE", 0x0102_1997: "9p",
    0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda", 0x0116_1970: "GFS2", 0x7461_636F: "OCFS2",
    0x786F_4256: "a folder of VirtualBox", 0x6A65_6A63: "virtiofs",
  ]

  /// `nil` where inotify can be trusted, and where nothing can be told.
  init?(at path: String) {
    self.init(magic: clinux_filesystem(path))
  }

  /// The decision alone. Overlayfs is not among them: it tells of all that is done through it, and is not to be changed beneath while it is mounted.
  init?(magic: Int64) {
    guard let name = Self.names[magic] else { return nil }
    description = name
  }
}
