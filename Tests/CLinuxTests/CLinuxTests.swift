import CLinux
import Glibc
import TestSupport
import Testing

/// A path below a folder never leads out of it and never through a link, whichever system call
/// opens it.
@Suite struct CLinuxTests {
  private let folder: TemporaryFolder
  private let root: CInt

  init() throws {
    folder = try TemporaryFolder(["in/deep/a": "x", "b": "y"])
    try folder.shell("ln -s in link; ln -s ../b in/up; ln -s nowhere dangling")
    root = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Opens a file and returns its inode or the error.
  private func opened(by call: (CInt, UnsafePointer<CChar>, CInt) -> CInt, _ path: String) -> String {
    let file = call(root, path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return error(errno) }
    defer { close(file) }
    #expect(fcntl(file, F_GETFD) == FD_CLOEXEC)
    var status = stat()
    return fstat(file, &status) == 0 ? "\(status.st_ino)" : "\(errno)"
  }

  /// Returns the errno of a call that failed; 0 if it did not fail.
  private func failure(_ result: CInt) -> CInt { result < 0 ? errno : 0 }

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
  func `both ways of opening a path give the same file`(path: String) {
    #expect(opened(by: clinux_open_beneath, path) == opened(by: clinux_open_stepwise, path))
  }

  @Test(arguments: ["link/deep/a", "link", "in/up"])
  func `no link is followed`(path: String) {
    for call in [clinux_open_beneath, clinux_open_stepwise] {
      #expect(["ELOOP", "ENOTDIR"].contains(opened(by: call, path)))
    }
  }

  @Test func `nothing outside the folder is reached`() {
    for path in ["..", "../b", "in/../b", "in/../../x", "/etc/passwd", "in//deep", ""] {
      #expect(["EXDEV", "ENOENT"].contains(opened(by: clinux_open_stepwise, path)), "\(path)")
    }
    #expect(opened(by: clinux_open_stepwise, String(repeating: "x", count: 300)) == "ENAMETOOLONG")
  }

  @Test func `a stat below a folder follows no link`() {
    var stamp = clinux_stamp()
    #expect([ELOOP, ENOTDIR].contains(failure(clinux_stat_beneath(root, "link/deep/a", &stamp))))
    for link in ["in/up", "dangling"] {
      #expect(clinux_stat_beneath(root, link, &stamp) == 0)
      #expect(stamp.mode & S_IFMT == S_IFLNK)
    }
    #expect(clinux_stat_beneath(root, "in/deep/a", &stamp) == 0)
    #expect(stamp.size == 1)
    #expect(failure(clinux_stat_beneath(root, "in/gone", &stamp)) == ENOENT)
  }

  @Test func `a rename exchanges two names or keeps them`() {
    #expect(failure(clinux_move(root, "b", root, "in/deep/a", CLINUX_RENAME_NOREPLACE)) == EEXIST)
    #expect(failure(clinux_move(root, "b", root, "gone", CLINUX_RENAME_EXCHANGE)) == ENOENT)
    let (b, a) = (opened(by: clinux_open_beneath, "b"), opened(by: clinux_open_beneath, "in/deep/a"))
    #expect(clinux_move(root, "b", root, "in/deep/a", CLINUX_RENAME_EXCHANGE) == 0)
    #expect(opened(by: clinux_open_beneath, "b") == a)
    #expect(opened(by: clinux_open_beneath, "in/deep/a") == b)
  }

  @Test func `a file moves to another folder`() {
    let deep = clinux_open_beneath(root, "in/deep", O_RDONLY | O_DIRECTORY)
    defer { close(deep) }
    let (b, a) = (opened(by: clinux_open_beneath, "b"), opened(by: clinux_open_beneath, "in/deep/a"))
    #expect(failure(clinux_move(root, "b", deep, "a", CLINUX_RENAME_NOREPLACE)) == EEXIST)
    #expect(clinux_move(root, "b", deep, "b", CLINUX_RENAME_NOREPLACE) == 0)
    #expect(opened(by: clinux_open_beneath, "in/deep/b") == b)
    #expect(opened(by: clinux_open_beneath, "in/deep/a") == a)
  }

  @Test func `a lease reports a writer`() {
    let file = openat(root, "b", O_RDONLY | O_CLOEXEC), writer = openat(root, "b", O_WRONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(clinux_lease_holds(file) == 0)
    #expect(failure(clinux_acquire_lease(file)) == EAGAIN)
    close(writer)
    #expect(clinux_acquire_lease(file) == 0)
    #expect(clinux_lease_holds(file) == 1)
    #expect(failure(openat(root, "b", O_WRONLY | O_NONBLOCK | O_CLOEXEC)) == EWOULDBLOCK)
    #expect(clinux_lease_holds(file) == 0)
    #expect(clinux_release_lease(file) == 0)
  }
}
