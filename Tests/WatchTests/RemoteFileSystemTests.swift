import Files
import Testing

@testable import Watch

/// The file systems that are polled by default.
@Suite struct RemoteFileSystemTests {
  @Test(
    arguments: [
      (0x6969, "NFS"), (0xFF53_4D42, "SMB"), (0x6573_5546, "FUSE"), (0x0102_1997, "9p"),
      (0x6A65_6A63, "virtiofs"),
    ] as [(Int64, String)])
  func `a remote file system is polled`(magic: Int64, name: String) {
    #expect(DirectoryScan.remoteFileSystem(magic: magic)?.description == name)
  }

  /// ext4, XFS, Btrfs, tmpfs, ZFS, overlayfs (KernelTests checks its events), and an unknown file
  /// system.
  @Test(arguments: [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x2FC1_2FC1, 0x794C_7630, -1] as [Int64])
  func `a local file system is not polled`(magic: Int64) {
    #expect(DirectoryScan.remoteFileSystem(magic: magic) == nil)
  }
}
