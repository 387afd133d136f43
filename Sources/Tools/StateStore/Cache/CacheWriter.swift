import Store
import Synchronization
import SystemPackage

/// Writes a cache file: several threads write the values, then one writes the index.
final class CacheWriter: Sendable {
  private let rules: CacheRules
  private let identity: CacheIdentity
  fileprivate let file: CInt
  private let partCount = Atomic(0)
  private let end = Atomic(CacheLayout.headerSize)

  init(_ file: CInt, _ identity: CacheIdentity, _ rules: CacheRules) {
    self.file = file
    self.identity = identity
    self.rules = rules
  }

  /// The number of entries of one piece. The values of a piece are in one part, and a reader takes
  /// as many files at once, so each part is read once.
  private static let pieceSize = 256
  /// The number of pieces that a thread writes one after the other. The small ones share a part.
  private static let groupSize = 32

  /// The entries of a folder, or of a part of it, that one thread writes.
  private typealias Piece = (folder: ReadFolder, range: Range<Int>)

  func write(_ folders: [ReadFolder]) throws(Errno) {
    var pieces: [Piece] = []
    for folder in folders {
      let count = folder.listing.entries.count
      for start in stride(from: 0, to: max(count, 1), by: CacheWriter.pieceSize) {
        pieces.append((folder, start..<min(count, start + CacheWriter.pieceSize)))
      }
    }
    let (entries, parts, end) = try write(pieces)
    let index = CacheIndexBuilder(folders, entries, parts, rules, identity)
    var header = CacheHeader(identity: identity)
    header.valueCount = entries.reduce(0) { $0 + $1.valueCount }
    header.listingCount = folders.count { rules.mayList($0) }
    header.partCount = parts.count
    header.slotCount = index.slotCount
    header.folderCount = folders.count
    header.index = end..<end + index.bytes.count
    header.fileSize = header.index.upperBound
    header.indexChecksum = index.bytes.withUnsafeBytes { CacheChecksum.of($0, seed: identity.seed) }
    try CacheFolder.write(index.bytes, at: end, to: file)
    try CacheFolder.write(header.bytes, at: 0, to: file)
  }

  /// Writes the values on several threads. Returns the entries of each piece, the parts, and their end.
  private func write(_ pieces: [Piece]) throws(Errno) -> (
    entries: [CacheEntries], parts: [CacheIndex.Part], end: Int
  ) {
    let groups = ParallelWork.map(pieces.count, by: CacheWriter.groupSize) { [self, rules] group in
      var part = CacheValuePart(self)
      let entries = pieces[group].map { piece in
        var entries = CacheEntries(capacity: piece.range.count)
        for index in piece.range { entries.append(index, of: piece.folder, rules, &part) }
        part.endPiece()
        return entries
      }
      part.finish()
      return (entries, part.written, part.error)
    }
    for (_, _, error) in groups { if let error { throw error } }
    let parts = groups.flatMap(\.1).sorted { $0.number < $1.number }.map(\.part)
    return (groups.flatMap(\.0), parts, end.load(ordering: .relaxed))
  }

  fileprivate var seed: UInt64 { identity.seed }

  fileprivate func nextPart() -> Int { partCount.wrappingAdd(1, ordering: .relaxed).oldValue }

  fileprivate func reserve(_ count: Int) -> Int { end.wrappingAdd(count, ordering: .relaxed).oldValue }
}

/// The entries of one folder, or of a part of it, as a cache file holds them.
private struct CacheEntries {
  private(set) var bytes: [UInt8] = []
  private(set) var valueCount = 0

  init(capacity: Int) {
    bytes.reserveCapacity(capacity * CacheLayout.entrySize)
  }

  mutating func append(_ index: Int, of folder: ReadFolder, _ rules: CacheRules, _ part: inout CacheValuePart)
  {
    let entry = folder.listing.entries[index]
    var flags =
      (entry.isIncluded ? CacheLayout.isIncluded : 0) | (entry.isEntered ? CacheLayout.isEntered : 0)
    let number = UInt64(entry.start) | UInt64(entry.count) << 32 | UInt64(entry.kind.cached) << 48
    guard index < folder.items.count, let item = folder.items[index], rules.mayKeep(item, of: folder) else {
      bytes.append(word: number | UInt64(flags) << 56)
      bytes.append(contentsOf: repeatElement(0, count: CacheLayout.entrySize - CacheLayout.wordSize))
      return
    }
    flags |= CacheLayout.hasValue
    let (count, place) = item.fields.bytes.withUnsafeBytes { ($0.count, part.append($0)) }
    bytes.append(word: number | UInt64(flags) << 56)
    bytes.append(word: item.stamp.size)
    bytes.append(word: item.stamp.identity.inode)
    bytes.append(word: UInt64(item.stamp.modified))
    bytes.append(word: UInt64(item.stamp.changed))
    bytes.append(word: UInt64(item.stamp.created))
    bytes.append(word: UInt64(place.part) | UInt64(place.offset) << 32)
    bytes.append(word: UInt64(count))
    valueCount += 1
  }
}

/// The part of the values that one thread writes now.
private struct CacheValuePart: ~Copyable {
  private let writer: CacheWriter
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0
  private var number = 0
  /// The parts that are complete, with their numbers.
  private(set) var written: [(number: Int, part: CacheIndex.Part)] = []
  private(set) var error: Errno?

  init(_ writer: CacheWriter) {
    self.writer = writer
    memory = .allocate(byteCount: CacheLayout.maxPartSize, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Adds a value of at most `CacheLayout.maxValueSize` bytes, and returns its place.
  mutating func append(_ value: UnsafeRawBufferPointer) -> (part: Int, offset: Int) {
    if count == 0 { number = writer.nextPart() }
    let place = (number, count)
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: value)
    count += value.count
    if count >= CacheLayout.fullPartSize { finish() }
    return place
  }

  /// Ends a part with the values that belong together, unless it is very small.
  mutating func endPiece() {
    if count >= CacheLayout.minPartSize { finish() }
  }

  mutating func finish() {
    if count == 0 { return }
    let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
    let start = writer.reserve(count)
    let checksum = CacheChecksum.of(bytes, seed: writer.seed)
    written.append((number, CacheIndex.Part(range: start..<start + count, checksum: checksum)))
    count = 0
    do throws(Errno) {
      try CacheFolder.write(bytes, at: start, to: writer.file)
    } catch {
      self.error = self.error ?? error
    }
  }
}

private struct CacheIndexBuilder {
  private let folders: [ReadFolder]
  private let rules: CacheRules
  private let identity: CacheIdentity
  private(set) var bytes: [UInt8] = []
  private(set) var slotCount = 1

  /// - Parameter pieces: The entries of the folders, in the same order.
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
      for word in [UInt64(part.range.lowerBound), UInt64(part.range.count), part.checksum] {
        bytes.append(word: word)
      }
    }
    appendSlots()
    appendFolders()
    for piece in pieces { bytes += piece.bytes }
    for folder in folders {
      bytes += folder.listing.names
      bytes += folder.listing.path.description.utf8
    }
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
      ] { bytes.append(word: word) }
      for time in [listing.stamp?.modified, listing.stamp?.changed, listing.stamp?.created] {
        bytes.append(word: time.map { UInt64($0) } ?? 0)
      }
      bytes.append(
        word: (rules.mayList(folder) ? CacheLayout.isListable : 0)
          | (listing.isWorkTree ? CacheLayout.isWorkTree : 0))
      for number in [
        names + listing.names.count, path, entries, listing.entries.count, names, listing.names.count,
      ] {
        bytes.append(word: UInt64(number))
      }
      entries += listing.entries.count * CacheLayout.entrySize
      names += listing.names.count + path
    }
  }
}
