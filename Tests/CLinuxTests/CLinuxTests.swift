import CLinux
import Glibc
import TestSupport
import Testing

/// A path below a folder never leads out of it and never through a link, by whichever call of the kernel.
@Suite struct CLinuxTests {
  private let folder: TemporaryFolder
  private let root: CInt

  init() throws {
    folder = try TemporaryFolder(["in/deep/a": "x", "b": "y"])
    try folder.shell("ln -s in link; ln -s ../b in/up; ln -s nowhere dangling")
    root = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// What opening says: the inode, or the error.
  private func opened(by call: (CInt, UnsafePointer<CChar>, CInt) -> CInt, _ path: String) -> String {
    let file = call(root, path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return error(errno) }
    defer { close(file) }
    #expect(fcntl(file, F_GETFD) == FD_CLOEXEC)
    var status = stat()
    return fstat(file, &status) == 0 ? "\(status.st_ino)" : "\(errno)"
  }

  private func error(_ code: CInt) -> String {
    switch code {
    case ENOENT: "ENOENT"
    case ENOTDIR: "ENOTDIR"
    case ELOOP: "ELOOP"
    case EXDEV: "EXDEV"
    case ENAMETOOLONG: "ENAMETOOLONG"
    default: "error \(code)"
    }
  }

  @Test(arguments: ["b", "in/deep/a", "in/deep", "gone", "in/gone", "b/below", "dangling", "in/up"])
  func bothWaysOpenTheSame(path: String) {
    #expect(opened(by: clinux_open_beneath, path) == opened(by: clinux_open_stepwise, path))
  }

  @Test(arguments: ["link/deep/a", "link", "in/up"])
  func noLinkIsFollowed(path: String) {
    for call in [clinux_open_beneath, clinux_open_stepwise] { #expect(["ELOOP", "ENOTDIR"].contains(opened(by: call, path))) }
  }

  @Test func nothingOutsideIsReached() {
    for path in ["..", "../b", "in/../b", "in/../../x", "/etc/passwd", "in//deep", ""] {
      #expect(["EXDEV", "ENOENT"].contains(opened(by: clinux_open_stepwise, path)), "\(path)")
    }
    #expect(opened(by: clinux_open_stepwise, String(repeating: "x", count: 300)) == "ENAMETOOLONG")
  }

  @Test func aLookFollowsNoLinkEither() {
    var stamp = clinux_stamp()
    #expect(clinux_stat_beneath(root, "link/deep/a", &stamp) == -1 && [ELOOP, ENOTDIR].contains(errno))
    #expect(clinux_stat_beneath(root, "in/up", &stamp) == 0 && stamp.mode & S_IFMT == S_IFLNK)
    #expect(clinux_stat_beneath(root, "dangling", &stamp) == 0 && stamp.mode & S_IFMT == S_IFLNK)
    #expect(clinux_stat_beneath(root, "in/deep/a", &stamp) == 0 && stamp.size == 1)
    #expect(clinux_stat_beneath(root, "in/gone", &stamp) == -1 && errno == ENOENT)
  }

  @Test func namesAreExchangedOrKept() {
    #expect(clinux_rename(root, "b", "in/deep/a", CLINUX_RENAME_NOREPLACE) == -1 && errno == EEXIST)
    #expect(clinux_rename(root, "b", "gone", CLINUX_RENAME_EXCHANGE) == -1 && errno == ENOENT)
    let (b, a) = (opened(by: clinux_open_beneath, "b"), opened(by: clinux_open_beneath, "in/deep/a"))
    #expect(clinux_rename(root, "b", "in/deep/a", CLINUX_RENAME_EXCHANGE) == 0)
    #expect(opened(by: clinux_open_beneath, "b") == a && opened(by: clinux_open_beneath, "in/deep/a") == b)
  }

  @Test func aLeaseTellsWhoWrites() {
    let file = openat(root, "b", O_RDONLY | O_CLOEXEC), writer = openat(root, "b", O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(clinux_lease_holds(file) == 0)
    #expect(clinux_take_lease(file) == -1 && errno == EAGAIN)
    close(writer)
    #expect(clinux_take_lease(file) == 0 && clinux_lease_holds(file) == 1)
    #expect(openat(root, "b", O_WRONLY | O_NONBLOCK | O_CLOEXEC) == -1 && errno == EWOULDBLOCK)
    #expect(clinux_lease_holds(file) == 0)
    #expect(clinux_end_lease(file) == 0)
  }
}
