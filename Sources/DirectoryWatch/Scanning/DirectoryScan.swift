import Glibc
import LinuxFiles
import SystemPackage

/// Lists everything below a folder once.
///
/// ```swift
/// let listing = try DirectoryScan.scan(root: "notes", filter: WatchFilter(includesFile: { $0.name.hasSuffix(".md") }))
/// for entry in listing.entries where entry.kind == .regular { print(entry.path) }
/// ```
public enum DirectoryScan {
  /// The result of a scan, in the order of the file system.
  public struct Listing: Sendable {
    /// The entries that the filter's `includesFile` accepts. They are of every kind, including
    /// folders.
    public var entries: [FoundEntry] = []
    /// The folders that are there but could not be read completely. Their files are unknown: a file
    /// below them that is missing in `entries` may still be there.
    public var unreadable: [Unreadable] = []
    /// The folders that contain a `.git` of any kind.
    var workTrees: [RelativePath] = []

    /// Creates an empty listing.
    public init() {}
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
  public static func scan(root: String, below directory: RelativePath = .root, filter: WatchFilter = WatchFilter()) throws(WatchError)
    -> Listing
  {
    try scan(root: root, named: root, below: directory, filter: filter)
  }

  /// Lists a root that its user knows by another name. Errors contain that name.
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

  /// Walks a tree. Calls `entering` with each open folder before the folder is listed, so that a
  /// watch set there misses nothing. If `entering` throws, the folder is unreadable; if the watches
  /// have run out, the walk ends.
  static func walk(
    _ root: borrowing Descriptor, named rootName: String, below start: RelativePath, filter: WatchFilter,
    entering: (RelativePath, Int32) throws(WatchError) -> Void
  ) throws(WatchError) -> Listing {
    var listing = Listing()
    // A list instead of recursion: the depth of folders is unlimited.
    var toDo = [start]
    while let directory = toDo.popLast() {
      let descriptor: Descriptor
      do throws(Errno) {
        descriptor = try Descriptor.folder(beneath: root.raw, directory)
      } catch {
        let errno = error.rawValue
        // The folder is gone or was replaced by something else: the events of its parent report
        // that.
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

  /// Returns the name of a folder for messages.
  static func display(_ root: String, _ path: RelativePath) -> String {
    path == .root ? root : root.hasSuffix("/") ? "\(root)\(path)" : "\(root)/\(path)"
  }

  /// Lists one folder. Returns 0, or the errno of the failure that made the listing incomplete.
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
    // `d_name` is declared with 256 bytes, but the name ends at its NUL and may be longer.
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
    // The entry may be a folder, and its files are missing in this listing.
    if errno != ENOENT { failure = errno }
    return .unknown
  }
}
