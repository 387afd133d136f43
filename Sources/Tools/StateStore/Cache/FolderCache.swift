import CLinux
package import Files
import Glibc
package import PlainStore
import SystemPackage
package import Watch

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
  private let counts = CacheCounts()
  private var name: String { CacheFolder.name(of: identity.dataSet) }

  /// Opens the cache of a data set.
  ///
  /// - Parameters:
  ///   - context: The data set.
  ///   - home: The folder in which programs of this user keep what they can make again.
  ///   - program: Bytes that are different for each program that may read files differently.
  ///   - minCount: The number of files from which a data set is kept.
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
    known = CacheFile(file, of: identity, depth: context.limits.depth, counts: counts)
  }

  package func listing(of folder: RelativePath, stamp: FileStamp) -> FolderListing? {
    guard let cached = known?.index.folder(folder), cached.isListable, cached.stamp == stamp,
      let listing = cached.listing
    else {
      return nil
    }
    counts.addListing()
    return listing
  }

  package func values(of folder: RelativePath) -> (any CachedValues)? {
    guard let known, let cached = known.index.folder(folder) else { return nil }
    return CachedFolderValues(cached, of: known)
  }

  package var isEmpty: Bool { known == nil }

  package var hits: Int { counts.hits }

  package func isCurrent(entryCount: Int) -> Bool {
    guard rules.keepsValues, let header = known?.index.header, entryCount >= minCount else { return false }
    let misses = max(entryCount, header.valueCount) - counts.hits
    return counts.listings == header.listingCount && misses <= header.valueCount / FolderCache.changedShare
  }

  package func record(_ folders: [ReadFolder]) {
    let isWorth = rules.keepsValues && folders.reduce(0) { $0 + $1.listing.entries.count } >= minCount
    if !isWorth {
      if known != nil { folder.remove(name) }
      return
    }
    if !hasChanged(folders) { return }
    try? folder.replace(name) { file throws(Errno) in
      try CacheWriter(rules: rules, identity: identity, file: file).write(folders)
    }
  }

  /// Returns true if enough has changed to write the file again.
  private func hasChanged(_ folders: [ReadFolder]) -> Bool {
    guard let header = known?.index.header else { return true }
    let entries = folders.reduce(0) { $0 + $1.listing.entries.count }
    if isCurrent(entryCount: entries) { return false }
    let values = folders.reduce(0) { sum, folder in
      folder.items.reduce(sum) { count, item in
        item.map { rules.mayKeep($0, of: folder) } == true ? count + 1 : count
      }
    }
    let listings = folders.count { rules.mayList($0) }
    // Both what is new and what is gone.
    let changedValues = max(values, header.valueCount) - min(counts.hits, header.valueCount)
    let changedListings = max(listings, header.listingCount) - min(counts.listings, header.listingCount)
    return changedValues > values / FolderCache.changedShare
      || changedListings > listings / FolderCache.changedShare + 1
  }
}
