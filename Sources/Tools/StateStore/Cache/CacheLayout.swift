/// The layout of a cache file. All numbers are little-endian.
///
/// ```
/// header    16 words; the last is the checksum of the others
/// parts     packed values end to end, at most `maxPartSize` bytes each
/// index     one range of the file with one checksum:
///   parts     3 words each: offset in the file, length, checksum
///   slots     a hash table of the folders' paths: number of a folder plus one, 4 bytes each
///   folders   13 words each
///   contents  per folder: its path, its entries of 64 bytes each, and their names
/// ```
///
/// Raise `version` with every change of this layout, of the layout of packed values, or of what
/// reading a file gives.
enum CacheLayout {
  static let magic: UInt64 = 0x6568_6361_6377_6E0A
  static let version: UInt64 = 1
  static let wordSize = 8
  static let headerSize = 16 * wordSize
  static let partSize = 3 * wordSize
  static let slotSize = 4
  static let folderSize = 13 * wordSize
  static let entrySize = 64

  /// A part is complete when it has this many bytes, small enough to stay in the processor's cache.
  static let fullPartSize = 256 << 10
  /// Small folders share a part until it has this many bytes.
  static let minPartSize = 32 << 10
  /// Larger values are not kept: their files are read.
  static let maxValueSize = 1 << 20
  static let maxPartSize = fullPartSize + maxValueSize

  /// Flags of a folder.
  static let isListable: UInt64 = 1
  static let isWorkTree: UInt64 = 2

  /// Flags of an entry.
  static let isIncluded: UInt8 = 1
  static let isEntered: UInt8 = 2
  static let hasValue: UInt8 = 4
}

struct CacheHeader {
  var identity: CacheIdentity
  var fileSize = 0
  var valueCount = 0
  /// The number of folders whose listing is known.
  var listingCount = 0
  var partCount = 0
  var slotCount = 0
  var folderCount = 0
  var index = 0..<0
  var indexChecksum: UInt64 = 0

  var bytes: [UInt8] {
    let numbers = [
      fileSize, valueCount, listingCount, partCount, slotCount, folderCount, index.lowerBound, index.count,
    ].map(UInt64.init)
    var words = [CacheLayout.magic, CacheLayout.version] + identity.words + numbers + [indexChecksum]
    words.append(words.map(\.littleEndian).withUnsafeBytes { CacheChecksum.of($0, seed: identity.seed) })
    return words.map(\.littleEndian).withUnsafeBytes(Array.init)
  }

  init(identity: CacheIdentity) {
    self.identity = identity
  }

  /// Nil if the bytes are damaged, of another version, data set or program, or do not fit the file size.
  init?(_ bytes: UnsafeRawBufferPointer, of expected: CacheIdentity, fileSize: Int) {
    guard bytes.count >= CacheLayout.headerSize else { return nil }
    let words = (0..<16).map { bytes.word($0 * CacheLayout.wordSize) }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[..<(15 * CacheLayout.wordSize)])
    guard words[0] == CacheLayout.magic, words[1] == CacheLayout.version,
      Array(words[2..<6]) == expected.words,
      words[15] == CacheChecksum.of(checked, seed: expected.seed)
    else { return nil }
    // Every number counts bytes of the file, or things of at least one byte.
    let numbers = words[6..<14].map { Int(clamping: $0) }
    guard numbers.allSatisfy({ $0 <= fileSize }), numbers[0] == fileSize, numbers[6] + numbers[7] == fileSize
    else { return nil }
    identity = expected
    self.fileSize = fileSize
    valueCount = numbers[1]
    listingCount = numbers[2]
    partCount = numbers[3]
    slotCount = numbers[4]
    folderCount = numbers[5]
    index = numbers[6]..<fileSize
    indexChecksum = words[14]
  }
}
