import CLinux
import Dispatch
package import Store
import SystemPackage

/// The cache of one data set: what an earlier run of the program read, in one file.
///
/// It trusts nothing in the file: an entry is used only while its file has the stamp that it had,
/// and only if that stamp was old enough to belong to one content. A failure makes the program
/// slower, and gives no message.
package final class FolderCache: ReadCache {
  /// The number of files from which a data set is kept. Reading fewer takes a few milliseconds.
  package static let minCount = 5_000
  /// The cache file is written again if more than one item in this number has changed.
  private static let changedShare = 100

  private let identity: CacheIdentity
  private let folder: CacheFolder
  private let rules: CacheRules
  private let minCount: Int
  private let known: CacheFile?
  private var name: String { CacheFolder.name(of: identity.dataSet) }

  /// Opens the cache of a data set in the folder in which programs of this user keep what they can make
  /// again. The bytes of `program` are different for each program that may read files differently.
  package convenience init(
    _ context: ReadCacheContext, home: String, program: [UInt8], minCount: Int = FolderCache.minCount
  ) {
    let rules = CacheRules(
      fileSystem: clinux_filesystem(context.root), device: FolderCache.device(of: context.root) ?? .max)
    self.init(context, home: home, program: program, minCount: minCount, rules: rules)
  }

  private static func device(of root: String) -> UInt64? {
    guard let folder = try? Descriptor.folder(root) else { return nil }
    return try? FileStatus(of: folder.raw).stamp.identity.device
  }

  init(_ context: ReadCacheContext, home: String, program: [UInt8], minCount: Int, rules: CacheRules) {
    identity = CacheIdentity(context, program: program)
    folder = CacheFolder(home: home)
    self.rules = rules
    self.minCount = minCount
    guard let file = folder.open(CacheFolder.name(of: identity.dataSet)) else {
      known = nil
      return
    }
    folder.markAsUsed(file.raw, named: CacheFolder.name(of: identity.dataSet))
    known = CacheFile(file, of: identity, depth: context.limits.depth)
  }

  package func listing(of folder: RelativePath, stamp: FileStamp) -> FolderListing? {
    guard let known, let cached = known.index.folder(folder), cached.isListable, cached.stamp == stamp,
      let listing = cached.listing
    else {
      return nil
    }
    known.addListing()
    return listing
  }

  package func values(of folder: RelativePath) -> (any CachedValues)? {
    guard let known, let cached = known.index.folder(folder) else { return nil }
    return CachedFolderValues(cached, of: known)
  }

  package var isEmpty: Bool { known == nil }

  package var hits: Int { known?.hits ?? 0 }

  package func isCurrent(entryCount: Int) -> Bool {
    guard rules.keepsValues, let known, entryCount >= minCount else { return false }
    let header = known.index.header
    let misses = max(entryCount, header.valueCount) - known.hits
    return known.listings == header.listingCount && misses <= header.valueCount / FolderCache.changedShare
  }

  package func record(_ folders: [ReadFolder]) {
    let isWorth = rules.keepsValues && folders.reduce(0) { $0 + $1.listing.entries.count } >= minCount
    if !isWorth {
      if known != nil { folder.remove(name) }
      return
    }
    if !hasChanged(folders) { return }
    try? folder.replace(name) { file throws(Errno) in
      try CacheWriter(file, identity, rules).write(folders)
    }
  }

  private func hasChanged(_ folders: [ReadFolder]) -> Bool {
    guard let known else { return true }
    let header = known.index.header
    let entries = folders.reduce(0) { $0 + $1.listing.entries.count }
    if isCurrent(entryCount: entries) { return false }
    let values = folders.reduce(0) { sum, folder in
      folder.items.reduce(sum) { count, item in
        item.map { rules.mayKeep($0, of: folder) } == true ? count + 1 : count
      }
    }
    let listings = folders.count { rules.mayList($0) }
    // Both what is new and what is gone.
    let changedValues = max(values, header.valueCount) - min(known.hits, header.valueCount)
    let changedListings = max(listings, header.listingCount) - min(known.listings, header.listingCount)
    return changedValues > values / FolderCache.changedShare
      || changedListings > listings / FolderCache.changedShare + 1
  }
}

/// The known values of one folder, for one thread that reads it.
private final class CachedFolderValues: CachedValues {
  private let folder: CachedFolder
  private let file: CacheFile
  /// The number of the entry after the last one that was found: files come in the order of the last
  /// listing, unless it changed.
  private var next = 0
  /// The numbers of all entries by the checksums of their names, once an entry was out of order.
  private var numbers: [UInt64: Int]?
  private var part: (number: Int, loaded: CacheBuffer?)?
  private var hits = 0

  init(_ folder: CachedFolder, of file: CacheFile) {
    self.folder = folder
    self.file = file
  }

  deinit {
    releasePart()
    file.add(hits: hits)
  }

  func value(of index: Int, named name: UnsafeRawBufferPointer, stamp: FileStamp) -> PackedValue? {
    guard stamp.identity.device == folder.stamp.identity.device,
      let entry = entry(index, named: name), entry.hasValue, entry.has(stamp), let value = value(of: entry)
    else { return nil }
    hits += 1
    return value
  }

  private func entry(_ index: Int, named name: UnsafeRawBufferPointer) -> CachedFolder.Entry? {
    for number in [index, next] {
      guard let entry = folder.entry(number), entry.name.hasSameBytes(as: name) else { continue }
      next = number + 1
      return entry
    }
    let known = numbers ?? numbersByChecksum
    numbers = known
    guard let number = known[CacheChecksum.of(name, seed: 0)], let entry = folder.entry(number),
      entry.name.hasSameBytes(as: name)
    else { return nil }
    next = number + 1
    return entry
  }

  private var numbersByChecksum: [UInt64: Int] {
    var numbers: [UInt64: Int] = [:]
    numbers.reserveCapacity(folder.entryCount)
    for number in 0..<folder.entryCount {
      if let entry = folder.entry(number) { numbers[CacheChecksum.of(entry.name, seed: 0)] = number }
    }
    return numbers
  }

  private func releasePart() {
    if let buffer = part?.loaded { file.release(buffer) }
  }

  private func value(of entry: CachedFolder.Entry) -> PackedValue? {
    if part?.number != entry.part {
      releasePart()
      part = (entry.part, file.load(entry.part))
    }
    let (offset, count) = entry.value
    guard let bytes = part?.loaded?.bytes, offset + count <= bytes.count else { return nil }
    let value = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    return PackedValue.isMap(value, depth: file.depth) ? PackedValue(bytes: Array(value)) : nil
  }
}

/// Writes what a store read to its cache, while the first list is printed.
package final class CacheRecording: Sendable {
  private let group = DispatchGroup()

  package init(of store: ItemStore) { group.start(1) { store.recordFirstReading() } }

  /// Waits until everything is written. Call it before the program ends.
  package func finish() { group.wait() }
}
