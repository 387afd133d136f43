import CLinux
public import Files
import Glibc

/// Lists everything below a folder once.
///
/// ```swift
/// let listing = try DirectoryScan.scan(root: "notes", filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
/// for entry in listing.entries where entry.kind == .regular { print(entry.path) }
/// ```
public enum DirectoryScan {
  /// The result of a scan, in the order of the file system.
  public struct Listing: Sendable {
    /// The folders that were listed, with the entries that the filter accepts.
    package var folders: [FolderListing] = []
    /// The folders that are there but could not be read completely. Their files are unknown: a file
    /// below them that is missing in `entries` may still be there.
    public var unreadable: [Unreadable] = []

    /// Creates an empty listing.
    public init() {}

    /// The entries that the filter's `includesFile` accepts. They are of every kind, including
    /// folders. O(n): the paths are made for each call.
    public var entries: [FoundEntry] {
      folders.flatMap { folder in
        folder.entries.lazy.filter(\.isIncluded).map { FoundEntry(path: folder.path(of: $0), kind: $0.kind) }
      }
    }

    var workTrees: [RelativePath] { folders.filter(\.isWorkTree).map(\.path) }
  }

  /// A folder that could not be read completely.
  public struct Unreadable: Sendable, Hashable {
    /// The path of the folder.
    public let directory: RelativePath
    /// The reason.
    public let error: WatchError

    /// Creates a result, for example for a test.
    public init(directory: RelativePath, error: WatchError) {
      self.directory = directory
      self.error = error
    }
  }

  /// Returns the entries below a folder that the filter includes; none if the folder is missing or
  /// is not a folder.
  ///
  /// Links are never followed, except for `root` itself. Costs one `open` per folder. Files are not
  /// touched unless the file system does not report their kind.
  ///
  /// - Parameters:
  ///   - root: The watched folder.
  ///   - directory: The folder below the root to list. By default the root.
  ///   - filter: The files to return and the folders to enter. By default everything except names
  ///     that begin with a dot.
  /// - Throws: ``WatchError`` if the root itself cannot be opened. `.notFound` means that the root
  ///   is gone with all its files.
  public static func scan(
    root: String, below directory: RelativePath = .root, filter: WatchFilter = WatchFilter()
  ) throws(WatchError)
    -> Listing
  {
    var listing = Listing()
    listing.unreadable = try scan(root: root, named: root, below: directory, filter: filter) {
      listing.folders.append($0)
    }
    return listing
  }

  /// Lists a tree, calls `found` with each folder, and returns those that could not be read completely.
  /// Errors contain the name by which the user knows the root.
  package static func scan(
    root: String, named name: String, below directory: RelativePath = .root, filter: WatchFilter,
    known: KnownListing? = nil,
    found: (FolderListing) -> Void
  ) throws(WatchError) -> [Unreadable] {
    do throws(WatchError) {
      let descriptor = try Descriptor.root(RootPath(root))
      // The times of a remote folder may lag behind its content.
      let isRemote = known != nil && remoteFileSystem(at: root) != nil
      let walk = TreeWalk(rootName: name, filter: filter, known: isRemote ? nil : known)
      return try walk.run(descriptor, below: directory, found: found)
    } catch  where error.path == root && root != name {
      throw .opening(name, error.errno)
    }
  }

  static func display(_ root: String, _ path: RelativePath) -> String {
    path == .root ? root : root.hasSuffix("/") ? "\(root)\(path)" : "\(root)/\(path)"
  }

  /// True for `.git`: a repository's folder in its work tree, or the file that points to it.
  static func isGit(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count == 4 && name.elementsEqual(".git".utf8)
  }

  static func bytes(ofNameIn entry: UnsafeMutablePointer<dirent>) -> UnsafeBufferPointer<UInt8> {
    // `d_name` is declared with 256 bytes, but the name ends at its NUL and may be longer.
    let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
    return UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self),
      count: strlen(start.assumingMemoryBound(to: CChar.self)))
  }
}

/// The kind of a directory entry. Links are not followed.
///
/// These are the kinds that Linux has; ``unknown`` covers any that it may add.
public enum EntryKind: Sendable, Hashable {
  case regular, directory, symbolicLink, fifo, socket, device
  /// The entry disappeared before its kind was read, or it has a kind that this library does not know.
  case unknown

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

extension FoundEntry: CustomStringConvertible {
  /// The path and the kind: `notes (directory)`.
  public var description: String { "\(path) (\(kind))" }
}

extension DirectoryScan.Listing: CustomStringConvertible {
  /// The number of entries: `12 entries, 1 unreadable folder`.
  public var description: String {
    let entries = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
    let folders = unreadable.count == 1 ? "1 unreadable folder" : "\(unreadable.count) unreadable folders"
    return unreadable.isEmpty ? entries : "\(entries), \(folders)"
  }
}

extension DirectoryScan.Unreadable: CustomStringConvertible {
  /// The error, which names the folder.
  public var description: String { error.description }
}

/// The file systems that other machines or programs can change unknown to this kernel, so that
/// inotify misses changes.
extension DirectoryScan {
  /// Magic numbers from statfs(2) and <linux/magic.h>.
  private static let remoteFileSystems: [Int64: String] = [
    0x6969: "NFS", 0x517B: "SMB", 0xFF53_4D42: "SMB", 0xFE53_4D42: "SMB", 0x6573_5546: "FUSE",
    0x0102_1997: "9p",
    0x00C3_6400: "Ceph", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x7375_7245: "Coda", 0x0116_1970: "GFS2",
    0x7461_636F: "OCFS2",
    0x786F_4256: "a folder of VirtualBox", 0x6A65_6A63: "virtiofs",
  ]

  /// Nil if inotify reports every change, or if the file system is unknown.
  static func remoteFileSystem(at path: String) -> String? {
    remoteFileSystem(magic: clinux_filesystem(path))
  }

  /// Returns the name of the remote file system with a magic number. Overlayfs is not one: it
  /// reports every change made through it, and its layers must not change while it is mounted.
  static func remoteFileSystem(magic: Int64) -> String? { remoteFileSystems[magic] }
}
