public import Files
import Glibc

/// The kind of a directory entry. Links are not followed.
///
/// These are the kinds that Linux has; ``unknown`` covers any that it may add.
public enum EntryKind: Sendable, Hashable {
  case regular, directory, symbolicLink, fifo, socket, device
  /// The entry disappeared before its kind was read, or it has a kind that this library does not
  /// know.
  case unknown

  /// Returns the kind in the `st_mode` of `stat`.
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

/// An entry that a scan found and the filter includes.
public struct FoundEntry: Sendable, Hashable {
  /// The path below the root.
  public let path: RelativePath
  /// The kind of the entry at the time of the scan.
  public let kind: EntryKind

  /// Creates an entry, for example for a test.
  public init(path: RelativePath, kind: EntryKind) {
    self.path = path
    self.kind = kind
  }
}
