import Files
import Glibc
import SystemPackage

/// One walk through a tree: lists a folder, then the folders in it.
struct TreeWalk {
  typealias Unreadable = DirectoryScan.Unreadable

  let rootName: String
  let filter: WatchFilter
  /// The listings that are known from before; nil to list every folder.
  var known: KnownListing?

  /// Walks the tree below `start`, and returns the folders that could not be read completely.
  ///
  /// `entering` receives each open folder before it is listed, so that a watch set there misses nothing. If
  /// it throws, the folder is unreadable; if the watches have run out, the walk ends.
  func run(
    _ root: borrowing Descriptor, below start: RelativePath,
    entering: (RelativePath, Int32) throws(WatchError) -> Void = { _, _ in },
    found: (FolderListing) -> Void
  ) throws(WatchError) -> [Unreadable] {
    var unreadable: [Unreadable] = []
    // A list instead of recursion: the depth of folders is unlimited.
    var toDo = [start]
    while let directory = toDo.popLast() {
      let descriptor: Descriptor
      do throws(Errno) {
        descriptor = try Descriptor.folder(beneath: root.raw, directory)
      } catch {
        let errno = error.rawValue
        // The folder is gone or was replaced by something else: the events of its parent report that.
        if directory != .root, [ENOENT, ENOTDIR, ELOOP].contains(errno) { continue }
        unreadable.append(Unreadable(directory: directory, error: .opening(display(directory), errno)))
        continue
      }
      do throws(WatchError) {
        try entering(directory, descriptor.raw)
      } catch {
        if error.code == .noWatchesLeft { throw error }
        unreadable.append(Unreadable(directory: directory, error: error))
        continue
      }
      let (folder, failure) = list(descriptor, as: directory)
      if failure != 0 {
        unreadable.append(Unreadable(directory: directory, error: .listing(display(directory), failure)))
      }
      for entry in folder.entries where entry.isEntered { toDo.append(folder.path(of: entry)) }
      found(folder)
    }
    return unreadable
  }

  private func display(_ path: RelativePath) -> String { DirectoryScan.display(rootName, path) }

  /// Lists one folder. The failure is 0, or the errno of what made the listing incomplete.
  private func list(_ descriptor: consuming Descriptor, as directory: RelativePath) -> (
    folder: FolderListing, failure: Int32
  ) {
    var folder = FolderListing(path: directory)
    if let known {
      folder.stamp = try? FileStatus(of: descriptor.raw).stamp
      if let stamp = folder.stamp, let listing = known(directory, stamp) {
        return (listing, 0)
      }
    }
    let raw = descriptor.release()
    guard let stream = fdopendir(raw) else {
      let failure = errno
      close(raw)
      return (folder, failure)
    }
    defer { closedir(stream) }
    var failure: Int32 = 0
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno == EINTR { continue }
        return (folder, errno == 0 ? failure : errno)
      }
      add(entry, in: raw, to: &folder, &failure)
    }
  }

  private func add(
    _ entry: UnsafeMutablePointer<dirent>, in raw: Int32, to folder: inout FolderListing,
    _ failure: inout Int32
  ) {
    let name = DirectoryScan.bytes(ofNameIn: entry)
    if name.count <= 2, name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return }
    if DirectoryScan.isGit(name) { folder.isWorkTree = true }
    let verdict =
      filter.byName.map { $0(UnsafeRawBufferPointer(name)) } ?? (includesFile: nil, includesDirectory: nil)
    if verdict.includesFile == false, verdict.includesDirectory == false { return }
    let isIncluded = verdict.includesFile ?? filter.includesFile(folder.path.appending(name: name))
    if !isIncluded, verdict.includesDirectory == false { return }
    let kind = kind(of: entry, in: raw, &failure)
    let isEntered =
      kind == .directory
      && (verdict.includesDirectory ?? filter.includesDirectory(folder.path.appending(name: name)))
    if isIncluded || isEntered {
      folder.append(UnsafeRawBufferPointer(name), kind, isIncluded: isIncluded, isEntered: isEntered)
    }
  }

  private func kind(of entry: UnsafeMutablePointer<dirent>, in directory: Int32, _ failure: inout Int32)
    -> EntryKind
  {
    // The type of an entry is that of a mode without its lower bits (DTTOIF in <dirent.h>).
    let kind = EntryKind(mode: UInt32(entry.pointee.d_type) << 12)
    if kind != .unknown { return kind }
    var status = stat()
    let name = DirectoryScan.bytes(ofNameIn: entry).baseAddress.unsafelyUnwrapped
    let result = name.withMemoryRebound(to: CChar.self, capacity: 1) { name in
      retryOnInterrupt { fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) }
    }
    if result == 0 { return EntryKind(mode: UInt32(status.st_mode)) }
    // The entry may be a folder, and its files are missing in this listing.
    if errno != ENOENT { failure = errno }
    return .unknown
  }
}
