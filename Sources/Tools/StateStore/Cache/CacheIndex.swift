import Files

/// The index of a cache file in memory: the folders with their entries, and the places of the
/// values.
///
/// Its bytes come from a file that another program may have changed. The checksum finds damage;
/// every number is checked anyway before it is used as an index.
final class CacheIndex: Sendable {
  let header: CacheHeader
  private let buffer: CacheBuffer
  private let slots: Int
  private let folders: Int

  /// A range of the file with its checksum.
  struct Part: Equatable {
    let range: Range<Int>
    let checksum: UInt64
  }

  /// Checks the index of a file; nil if it is damaged.
  init?(_ buffer: CacheBuffer, _ header: CacheHeader) {
    let count = header.index.count
    // The header ensures that no number is larger than the file, so no product overflows.
    slots = header.partCount * CacheLayout.partSize
    folders = slots + header.slotCount * CacheLayout.slotSize
    guard header.slotCount.nonzeroBitCount == 1,
      folders + header.folderCount * CacheLayout.folderSize <= count, buffer.bytes.count == count,
      CacheChecksum.of(buffer.bytes, seed: header.identity.seed) == header.indexChecksum
    else { return nil }
    self.buffer = buffer
    self.header = header
  }

  var seed: UInt64 { header.identity.seed }

  func bytes(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer? {
    let bytes = buffer.bytes
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  func part(_ number: Int) -> Part? {
    guard number < header.partCount, let record = bytes(number * CacheLayout.partSize, CacheLayout.partSize)
    else { return nil }
    let offset = record.number(0), count = record.number(8)
    guard count <= CacheLayout.maxPartSize, count <= header.index.lowerBound,
      offset <= header.index.lowerBound - count
    else { return nil }
    return Part(range: offset..<offset + count, checksum: record.word(16))
  }

  func folder(_ path: RelativePath) -> CachedFolder? {
    var text = path.description
    return text.withUTF8 { folder(UnsafeRawBufferPointer($0)) }
  }

  private func folder(_ path: UnsafeRawBufferPointer) -> CachedFolder? {
    var slot = Int(truncatingIfNeeded: CacheChecksum.of(path, seed: seed)) & (header.slotCount - 1)
    // A damaged table may be full, so the search ends after one round.
    for _ in 0..<header.slotCount {
      guard let number = bytes(slots + slot * CacheLayout.slotSize, CacheLayout.slotSize)?.half(0),
        number != 0
      else { return nil }
      if number <= header.folderCount, let folder = CachedFolder(number - 1, of: self, at: path) {
        return folder
      }
      slot = (slot + 1) & (header.slotCount - 1)
    }
    return nil
  }

  func record(ofFolder number: Int) -> UnsafeRawBufferPointer? {
    bytes(folders + number * CacheLayout.folderSize, CacheLayout.folderSize)
  }
}

extension [UInt8] {
  /// Appends a number of eight bytes, as `UnsafeRawBufferPointer.word` reads it.
  mutating func append(word: UInt64) {
    Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) }
  }
}

/// Numbers of a cache file. The offsets are within the bytes.
extension UnsafeRawBufferPointer {
  func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns a word as a number. One that is too large is too large for every use.
  func number(_ offset: Int) -> Int { Int(clamping: word(offset)) }

  func half(_ offset: Int) -> Int {
    Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
