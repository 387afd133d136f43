import Files
import PlainStore

/// Makes the index of a new cache file.
struct CacheIndexBuilder {
  private let folders: [ReadFolder]
  private let rules: CacheRules
  private let identity: CacheIdentity
  private(set) var bytes: [UInt8] = []
  private(set) var slotCount = 1

  /// - Parameters:
  ///   - folders: The folders, each of them once.
  ///   - entries: The pieces of their entries, in the same order.
  ///   - parts: The parts of the values.
  init(
    _ folders: [ReadFolder], _ pieces: [CacheEntries], _ parts: [CacheIndex.Part], _ rules: CacheRules,
    _ identity: CacheIdentity
  ) {
    self.folders = folders
    self.rules = rules
    self.identity = identity
    while slotCount < folders.count * 2 { slotCount *= 2 }
    var size =
      pieces.reduce(0) { $0 + $1.bytes.count } + slotCount * CacheLayout.slotSize + parts.count
      * CacheLayout.partSize
    size += folders.reduce(0) {
      $0 + CacheLayout.folderSize + $1.listing.names.count + $1.listing.path.description.utf8.count
    }
    bytes.reserveCapacity(size)
    for part in parts {
      for word in [UInt64(part.range.lowerBound), UInt64(part.range.count), part.checksum] { append(word) }
    }
    appendSlots()
    appendFolders()
    for piece in pieces { bytes += piece.bytes }
    for folder in folders {
      bytes += folder.listing.names
      bytes += folder.listing.path.description.utf8
    }
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func appendSlots() {
    var slots = [UInt32](repeating: 0, count: slotCount)
    for (number, folder) in folders.enumerated() {
      var path = folder.listing.path.description
      let hash = path.withUTF8 { CacheChecksum.of(UnsafeRawBufferPointer($0), seed: identity.seed) }
      var slot = Int(truncatingIfNeeded: hash) & (slotCount - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
    slots.map(\.littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends the records of the folders. The entries of all of them follow, then the names of each
  /// with its path.
  private mutating func appendFolders() {
    var entries = bytes.count + folders.count * CacheLayout.folderSize
    var names = entries + folders.reduce(0) { $0 + $1.listing.entries.count } * CacheLayout.entrySize
    for folder in folders {
      let listing = folder.listing
      let path = listing.path.description.utf8.count
      for word in [
        listing.stamp?.size ?? 0, listing.stamp?.identity.device ?? 0, listing.stamp?.identity.inode ?? 0,
      ] { append(word) }
      for time in [listing.stamp?.modified, listing.stamp?.changed, listing.stamp?.created] {
        append(time.map { UInt64($0) } ?? 0)
      }
      append(
        (rules.mayList(folder) ? CacheLayout.isListable : 0)
          | (listing.isWorkTree ? CacheLayout.isWorkTree : 0))
      for number in [
        names + listing.names.count, path, entries, listing.entries.count, names, listing.names.count,
      ] {
        append(UInt64(number))
      }
      entries += listing.entries.count * CacheLayout.entrySize
      names += listing.names.count + path
    }
  }
}
