import Glibc

/// What a directory entry is, links not followed.
public enum EntryKind: Sendable, Hashable {
  case regular, directory, symbolicLink, fifo, socket, device
  /// Gone before it could be looked at, or of a kind that Linux did not have when this was written.
  case unknown

  /// From the `st_mode` of `stat`.
  init(mode: UInt32) {
    switch mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): self = .regular
    case UInt32(S_IFDIR): self = .directory
    case UInt32(S_IFLNK): self = .symbolicLink
    case UInt32(S_IFIFO): self = .fifo
    case UInt32(S_IFSOCK): self = .socket
    case UInt32(S_IFCHR), UInt32(S_IFBLK): self = .device
    default: self = .unknown
    }
  }
}

/// An entry that a scan met and the filter includes.
public struct FoundEntry: Sendable, Hashable {
  public let path: RelativePath
  public let kind: EntryKind

  public init(path: RelativePath, kind: EntryKind) {
    self.path = path
    self.kind = kind
  }
}
