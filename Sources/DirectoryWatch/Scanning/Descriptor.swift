import CLinux
import Glibc

/// A file descriptor that closes itself. Every one is close-on-exec.
package struct Descriptor: ~Copyable, Sendable {
  let raw: Int32

  /// Takes over an open descriptor.
  init(owning raw: Int32) {
    self.raw = raw
  }

  deinit {
    close(raw)
  }

  /// Gives the descriptor away, open.
  consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }

  /// Opens the root, following links: it may be one.
  static func root(_ root: RootPath) throws(WatchError) -> Descriptor {
    let raw = retrying { open(root.absolute, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
    if raw < 0 { throw .opening(root.given, errno) }
    let descriptor = Descriptor(owning: raw)
    if isRemoved(raw) { throw .opening(root.given, ENOENT) }
    return descriptor
  }

  /// Whether a folder has no name any more: `.` can be opened while it is somebody's working directory.
  package static func isRemoved(_ folder: CInt) -> Bool {
    var status = stat()
    return fstat(folder, &status) == 0 && status.st_nlink == 0
  }

  /// Opens a folder below this one without ever following a link or leaving it. `nil` and errno where that fails.
  func directory(_ path: RelativePath) -> Descriptor? {
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK
    let raw =
      path == .root
      ? retrying { openat(self.raw, ".", flags | O_CLOEXEC) }
      : path.withCString { path in retrying { clinux_open_beneath(self.raw, path, flags) } }
    return raw < 0 ? nil : Descriptor(owning: raw)
  }

  /// What is at `path` below this folder, links not followed; `nil` and errno where that cannot be told.
  func stamp(_ path: RelativePath) -> FileStamp? {
    path.withCString { FileStamp(in: raw, $0) }
  }
}

/// Makes a system call again as long as a signal interrupts it.
package func retrying(_ call: () -> Int32) -> Int32 {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
