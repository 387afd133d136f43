import Files
import Glibc
@testable import Store
import TestSupport
import Values
import Watch

@testable import Folder
@testable import Query
@testable import StateStore

/// A folder as a program reads it that asks a cache first. The store's own readers do the same with
/// threads.
struct CachedReading {
  /// The values of the items, by their paths.
  private(set) var values: [String: PackedValue] = [:]
  /// The folders, for the cache.
  private(set) var folders: [ReadFolder] = []
  /// The number of files that were opened, and of folders that were listed.
  private(set) var opened = 0
  private(set) var listed = 0

  /// Reads a folder.
  ///
  /// - Parameter began: The time at which the reading begins; by default after every stamp.
  init(_ root: String, with cache: FolderCache?, began: FileTime? = nil) throws {
    let began = try began ?? CachedReading.timeAfterAll(beside: root)
    let folder = try OpenFolder(root)
    let filter = PathRules().watchFilter
    var toDo = [RelativePath.root]
    while let path = toDo.popLast() {
      let descriptor = try Descriptor.folder("\(root)/\(path)")
      let stamp = try FileStatus(of: descriptor.raw).stamp
      let listing = try cache?.listing(of: path, stamp: stamp) ?? list(path, in: root, stamp, filter)
      let values = cache?.values(of: path)
      var items: [Item?] = []
      for (index, entry) in listing.entries.enumerated() {
        let path = listing.path(of: entry)
        if entry.isEntered { toDo.append(path) }
        items.append(try item(path, index, entry, listing, values, in: folder))
      }
      folders.append(ReadFolder(listing: listing, items: items, began: began))
    }
  }

  /// Returns a time at which every stamp so far has passed, as if the reading began much later. New
  /// changes have other stamps: this waits until the clock of the file system has moved on.
  static func timeAfterAll(beside root: String) throws -> FileTime {
    let probe = "\(root).probe"
    close(open(probe, O_CREAT | O_WRONLY, 0o600))
    func time() throws -> FileTime { try FileStatus(in: AT_FDCWD, probe).stamp.changed }
    let first = try time()
    repeat { chmod(probe, 0o600) } while try time() == first
    return FileTime(seconds: try time().seconds + 100_000)
  }

  private mutating func list(_ path: RelativePath, in root: String, _ stamp: FileStamp, _ filter: WatchFilter)
    throws -> FolderListing
  {
    listed += 1
    var listing = FolderListing(path: path, stamp: stamp)
    let all = WatchFilter(
      includesDirectory: { _ in false },
      includesFile: { filter.includesFile($0) || filter.includesDirectory($0) })
    for entry in try DirectoryScan.scan(root: root, below: path, filter: all).entries {
      let isEntered = entry.kind == .directory && filter.includesDirectory(entry.path)
      let isIncluded = filter.includesFile(entry.path)
      Array(RelativePath(printed: String(entry.path.name))?.bytes ?? []).withUnsafeBytes {
        listing.append($0, entry.kind, isIncluded: isIncluded, isEntered: isEntered)
      }
    }
    return listing
  }

  private mutating func item(
    _ path: RelativePath, _ index: Int, _ entry: FolderListing.Entry, _ listing: FolderListing,
    _ values: (any CachedValues)?,
    in folder: OpenFolder
  ) throws -> Item? {
    guard let format = PathRules().format(of: path), let stamp = try folder.stamp(of: path) else {
      return nil
    }
    let known = listing.withName(of: entry) { values?.value(of: index, named: $0, stamp: stamp) }
    if let known {
      self.values[path.description] = known
      return Item(id: Item.ID(path: path), path: path, stamp: stamp, fields: known)
    }
    opened += 1
    var reader = FileReader(limits: ReadLimits())
    let finding = reader.read(
      ReadRequest(path: path, format: format, isRegular: false, known: nil), below: folder)
    guard case .item(let stamp, let fields) = finding else { return nil }
    self.values[path.description] = fields
    return Item(id: Item.ID(path: path), path: path, stamp: stamp, fields: fields)
  }
}

/// A data set with a cache of its own.
final class CacheFixture {
  let temporary: TemporaryFolder
  var root: String { "\(temporary.path)/items" }
  var home: String { "\(temporary.path)/cache" }
  var program: [UInt8] = [1]
  var settings = Settings()

  init(_ files: [String: String]) throws {
    temporary = try TemporaryFolder()
    try temporary.makeFolder("items")
    for (name, text) in files { try write(text, to: name) }
  }

  func write(_ text: String, to name: String) throws { try temporary.write(text, to: "items/\(name)") }

  /// The file of the cache; nil if there is none.
  var file: String? {
    guard
      let names = try? temporary.shell("ls -A cache/notes-watch 2> /dev/null || true").split(separator: "\n"),
      let name = names.first
    else { return nil }
    return "cache/notes-watch/\(name)"
  }

  func cache(
    minCount: Int = 1, limits: ReadLimits = ReadLimits(), keepsValues: Bool = true,
    trustsFolderTimes: Bool = true, device: UInt64? = nil
  ) -> FolderCache {
    let context = ReadCacheContext(root: root, settings: settings, limits: limits)
    return FolderCache(
      context, home: home, program: program, minCount: minCount,
      rules: CacheRules(
        keepsValues: keepsValues, trustsFolderTimes: trustsFolderTimes, grain: 3_000_000_000, device: device))
  }

  /// Reads the folder with the cache as it is now, and records what was read.
  @discardableResult func read(began: FileTime? = nil) throws -> CachedReading {
    let cache = cache()
    let reading = try CachedReading(root, with: cache, began: began)
    cache.record(reading.folders)
    return reading
  }

  /// Reads the folder without a cache.
  func truth() throws -> [String: PackedValue] { try CachedReading(root, with: nil).values }
}
