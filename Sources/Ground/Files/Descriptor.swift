package import Glibc
package import SystemPackage

/// An open file descriptor that closes itself. Each one is close-on-exec.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: CInt

  package init(owning raw: CInt) {
    self.raw = raw
  }

  deinit {
    close(raw)
  }

  package consuming func release() -> CInt {
    let raw = raw
    discard self
    return raw
  }

  // These methods borrow the descriptor, so that it stays open until they return.

  package borrowing func prefix(_ count: Int) -> [UInt8] { FileDescriptor(rawValue: raw).prefix(count) }

  package borrowing func write(all bytes: [UInt8]) throws(Errno) {
    try FileDescriptor(rawValue: raw).write(all: bytes)
  }

  package borrowing func sync() throws(Errno) { try systemCall { fsync(raw) } }

  package static func open(_ path: String, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> Descriptor {
    Descriptor(owning: try systemCall { Glibc.open(path, flags | O_CLOEXEC, mode) })
  }

  /// Opens a folder by its path. Links are followed. Throws `noSuchFileOrDirectory` also for a
  /// deleted folder: `.` can be opened while it is the working directory of a process.
  package static func folder(_ path: String) throws(Errno) -> Descriptor {
    // The system would see only the part before it.
    if path.utf8.contains(0) { throw .noSuchFileOrDirectory }
    let folder = try open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
    var status = stat()
    if fstat(folder.raw, &status) == 0, status.st_nlink == 0 { throw .noSuchFileOrDirectory }
    return folder
  }

  /// Opens this folder again, with its own locks and its own offset.
  package static func reopening(folder: CInt) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try systemCall { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC) })
  }
}
