/// A separate file system that is mounted on a folder until the last reference goes.
package final class TemporaryMount: Sendable {
  /// True if the test runs as root and may mount.
  package static let isPossible =
    Machine.isRoot && Machine.canRun("mkdir -p .m && mount -t tmpfs none .m && umount .m; rmdir .m")
  /// True if images can be mounted, too.
  package static let hasLoops =
    isPossible && Machine.has("mkfs.ext4") && Machine.canRun("losetup -f")

  private let temporary: TemporaryFolder
  private let name: String
  package var path: String { "\(temporary.path)/\(name)" }

  /// - Parameter what: The arguments of `mount`, such as `-t tmpfs none` or `-o loop image`.
  package init(_ what: String, at name: String, in temporary: TemporaryFolder) throws {
    (self.temporary, self.name) = (temporary, name)
    try temporary.shell("mkdir -p \(name); mount \(what) \(name)")
  }

  deinit {
    _ = try? temporary.shell("umount -l \(name)")
  }
}
