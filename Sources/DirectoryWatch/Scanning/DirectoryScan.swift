import Glibc
import LinuxFiles
import SystemPackage

/// One look at everything below a folder.
///
/// ```swift
/// let listing = try DirectoryScan.scan(root: "notes", filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
/// for entry in listing.entries where entry.kind == .regular { print(entry.path) }
/// ```
public enum DirectoryScan {
  /// What a scan found, in the file system's order.
  public struct Listing: Sendable {
    /// Entries of every kind, folders among them, that the filter's `includesFile` lets in.
    public var entries: [FoundEntry] = []
    /// Folders that are there but could not be read to their end. What lies below them is unknown: missing from `entries` is not gone.
    public var unreadable: [Unreadable] = []
    /// Folders in which there is a `.git`, whatever that is.
    var workTrees: [RelativePath] = []

    public init() {}
  }

  public struct Unreadable: Sendable, Hashable {
    public let directory: RelativePath
    public let error: WatchError

    public init(directory: RelativePath, error: WatchError) {
      self.directory = directory
      self.error = error
    }
  }

  /// Lists what the filter includes below `directory`; nothing where that is no folder or not there. Links are never followed, other than by `root`
  /// itself, so it ends. One `open` a folder; files are not touched unless the file system does not say what they are.
  ///
  /// - Throws: where the root itself cannot be opened: `.notFound` is a root that is gone with all its files.
  public static func scan(root: String, below directory: RelativePath = .root, filter: WatchFilter = WatchFilter()) throws(WatchError)
    -> Listing
  {
    try scan(root: root, named: root, below: directory, filter: filter)
  }

  /// Lists a root that its user knows by another name, which is the one in errors.
  package static func scan(root: String, named name: String, below directory: RelativePath, filter: WatchFilter) throws(WatchError)
    -> Listing
  {
    do throws(WatchError) {
      let descriptor = try Descriptor.root(RootPath(root))
      return try walk(descriptor, named: name, below: directory, filter: filter) { _, _ throws(WatchError) in }
    } catch  where error.path == root && root != name {
      throw .opening(name, error.errno)
    }
  }

  /// The walk itself. `entering` is called with each open folder before it is listed, so that a watch set there misses nothing; what it throws makes
  /// the folder unreadable when its `errno` says so, and ends the walk when the watches have run out.
  static func walk(
    _ root: borrowing Descriptor, named rootName: String, below start: RelativePath, filter: WatchFilter,
    entering: (RelativePath, Int32) throws(WatchError) -> Void
  ) throws(WatchError) -> Listing {
    var listing = Listing()
    // A list of what is still to do instead of recursion: folders nest as deep as they like.
    var toDo = [start]
    while let directory = toDo.popLast() {
      let descriptor: Descriptor
      do throws(Errno) {
        descriptor = try Descriptor.folder(beneath: root.raw, directory)
      } catch {
        let errno = error.rawValue
        // Gone, or no folder any more: its parent's events tell the rest.
        if directory != .root, [ENOENT, ENOTDIR, ELOOP].contains(errno) { continue }
        listing.unreadable.append(Unreadable(directory: directory, error: .opening(display(rootName, directory), errno)))
        continue
      }
      do throws(WatchError) {
        try entering(directory, descriptor.raw)
      } catch {
        if error.code == .noWatchesLeft { throw error }
        listing.unreadable.append(Unreadable(directory: directory, error: error))
        continue
      }
      let failure = list(descriptor, as: directory, filter: filter, in: &listing, directories: &toDo)
      if failure != 0 {
        listing.unreadable.append(Unreadable(directory: directory, error: .listing(display(rootName, directory), failure)))
      }
    }
    return listing
  }

  /// How a folder is named to a person.
  static func display(_ root: String, _ path: RelativePath) -> String {
    path == .root ? root : root.hasSuffix("/") ? "\(root)\(path)" : "\(root)/\(path)"
  }

  /// Lists one folder; the result is the errno that kept it from being whole, or 0.
  private static func list(
    _ descriptor: consuming Descriptor, as directory: RelativePath, filter: WatchFilter, in listing: inout Listing,
    directories: inout [RelativePath]
  ) -> Int32 {
    let raw = descriptor.release()
    guard let stream = fdopendir(raw) else {
      let failure = errno
      close(raw)
      return failure
    }
    defer { closedir(stream) }
    var failure: Int32 = 0
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno == EINTR { continue }
        return errno == 0 ? failure : errno
      }
      let name = bytes(ofNameIn: entry)
      if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
      if GitFolder.isName(name) { listing.workTrees.append(directory) }
      let path = directory.appending(name: name)
      let kind = kind(of: entry, in: raw, &failure)
      if filter.includesFile(path) { listing.entries.append(FoundEntry(path: path, kind: kind)) }
      if kind == .directory, filter.includesDirectory(path) { directories.append(path) }
    }
  }

  static func bytes(ofNameIn entry: UnsafeMutablePointer<dirent>) -> UnsafeBufferPointer<UInt8> {
    // `d_name` is declared with 256 bytes, but how long it is only its NUL says.
    let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
    return UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: strlen(start.assumingMemoryBound(to: CChar.self)))
  }

  private static func kind(of entry: UnsafeMutablePointer<dirent>, in directory: Int32, _ failure: inout Int32) -> EntryKind {
    switch Int(entry.pointee.d_type) {
    case DT_REG: return .regular
    case DT_DIR: return .directory
    case DT_LNK: return .symbolicLink
    case DT_FIFO: return .fifo
    case DT_SOCK: return .socket
    case DT_CHR, DT_BLK: return .device
    default: break
    }
    var status = stat()
    let name = bytes(ofNameIn: entry).baseAddress.unsafelyUnwrapped
    let result = name.withMemoryRebound(to: CChar.self, capacity: 1) { name in
      retryOnInterrupt { fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) }
    }
    if result == 0 { return EntryKind(mode: UInt32(status.st_mode)) }
    // It may be a folder, and then what is in it is missing here.
    if errno != ENOENT { failure = errno }
    return .unknown
  }
}
