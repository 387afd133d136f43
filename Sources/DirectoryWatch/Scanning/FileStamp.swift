import CLinux
import Glibc

/// What `statx` says of a path. Two looks with equal stamps are taken to have seen the same content.
struct FileStamp: Sendable, Equatable {
  struct Identity: Hashable, Sendable {
    let device, inode: UInt64
  }

  struct Time: Hashable, Sendable {
    let seconds: Int64
    let nanoseconds: UInt32
  }

  let identity: Identity
  let size: UInt64
  let modified, changed: Time
  let mode: UInt32

  var kind: EntryKind { EntryKind(mode: mode) }
  var isEmptyFile: Bool { size == 0 && kind == .regular }

  /// Of `path` below an open folder, or below the working directory for `AT_FDCWD`; a link is not followed. `nil` and errno where there is none.
  init?(in folder: Int32, _ path: UnsafePointer<CChar>) {
    var found = clinux_stamp()
    if retrying({ clinux_stat(folder, path, &found) }) < 0 { return nil }
    identity = Identity(device: found.device, inode: found.inode)
    size = found.size
    modified = Time(seconds: found.modified_seconds, nanoseconds: found.modified_nanoseconds)
    changed = Time(seconds: found.changed_seconds, nanoseconds: found.changed_nanoseconds)
    mode = found.mode
  }
}
