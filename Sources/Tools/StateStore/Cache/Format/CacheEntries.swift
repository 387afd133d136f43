import Files
import PlainStore
import Values

/// The entries of one folder, or of a part of it, as a cache file holds them.
struct CacheEntries: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The number of entries that have a value.
  private(set) var valueCount = 0

  init(capacity: Int) {
    bytes.reserveCapacity(capacity * CacheLayout.entrySize)
  }

  /// Adds an entry of a folder, and its value to a part of the values.
  mutating func append(_ index: Int, of folder: ReadFolder, _ rules: CacheRules, _ part: inout CacheValuePart)
  {
    let entry = folder.listing.entries[index]
    var flags =
      (entry.isIncluded ? CacheLayout.isIncluded : 0) | (entry.isEntered ? CacheLayout.isEntered : 0)
    var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    if index < folder.items.count, let item = folder.items[index], rules.mayKeep(item, of: folder) {
      flags |= CacheLayout.hasValue
      let (count, place) = item.fields.bytes.withUnsafeBytes { ($0.count, part.append($0)) }
      let stamp = item.stamp
      words.1 = stamp.size
      words.2 = stamp.identity.inode
      (words.3, words.4, words.5) = (UInt64(stamp.modified), UInt64(stamp.changed), UInt64(stamp.created))
      words.6 = UInt64(place.part) | UInt64(place.offset) << 32
      words.7 = UInt64(count)
      valueCount += 1
    }
    words.0 =
      UInt64(entry.start) | UInt64(entry.count) << 32 | UInt64(entry.kind.cached) << 48 | UInt64(flags) << 56
    (words.0, words.1, words.2, words.3) = (
      words.0.littleEndian, words.1.littleEndian, words.2.littleEndian, words.3.littleEndian
    )
    (words.4, words.5, words.6, words.7) = (
      words.4.littleEndian, words.5.littleEndian, words.6.littleEndian, words.7.littleEndian
    )
    withUnsafeBytes(of: words) { bytes.append(contentsOf: $0) }
  }
}
