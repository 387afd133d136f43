import Files
import Values
import Watch

/// One folder of a cache's index: a value over the bytes of the index.
struct CachedFolder {
  /// An entry with the place of its value.
  struct Entry {
    fileprivate let record: UnsafeRawBufferPointer
    let name: UnsafeRawBufferPointer

    var hasValue: Bool { record[7] & CacheLayout.hasValue != 0 }
    var part: Int { record.half(48) }
    var value: (offset: Int, count: Int) { (record.half(52), record.half(56)) }

    /// Returns true if the entry's file had this stamp, apart from its device.
    func has(_ stamp: FileStamp) -> Bool {
      record.word(8) == stamp.size && record.word(16) == stamp.identity.inode
        && record.word(24) == UInt64(stamp.modified)
        && record.word(32) == UInt64(stamp.changed) && record.word(40) == UInt64(stamp.created)
    }
  }

  private let index: CacheIndex
  private let path: RelativePath
  /// The stamp that the folder had before it was listed.
  let stamp: FileStamp
  let entryCount: Int
  private let flags: UInt64
  private let entries: Int
  private let names: Int
  private let namesCount: Int

  /// Reads a record; nil if it is that of another path, or names places outside of the index.
  init?(_ number: Int, of index: CacheIndex, at path: UnsafeRawBufferPointer) {
    guard let record = index.record(ofFolder: number),
      let known = index.bytes(record.number(56), record.number(64)),
      known.hasSameBytes(as: path)
    else { return nil }
    entryCount = record.number(80)
    guard entryCount <= index.header.fileSize else { return nil }
    entries = record.number(72)
    names = record.number(88)
    namesCount = record.number(96)
    guard index.bytes(entries, entryCount * CacheLayout.entrySize) != nil,
      index.bytes(names, namesCount) != nil
    else { return nil }
    self.index = index
    self.path = RelativePath(printed: String(decoding: path, as: UTF8.self)) ?? .root
    stamp = FileStamp(
      size: record.word(0), identity: FileIdentity(device: record.word(8), inode: record.word(16)),
      modified: FileTime(record.word(24)),
      changed: FileTime(record.word(32)), created: FileTime(record.word(40)))
    flags = record.word(48)
  }

  /// True if the folder has these entries as long as it has this stamp.
  var isListable: Bool { flags & CacheLayout.isListable != 0 }

  /// The listing as it was; nil if it is damaged.
  var listing: FolderListing? {
    guard let names = index.bytes(names, namesCount),
      let records = index.bytes(entries, entryCount * CacheLayout.entrySize)
    else {
      return nil
    }
    let entries = (0..<entryCount).map { number in
      let place = number * CacheLayout.entrySize
      let flags = records[place + 7]
      return FolderListing.Entry(
        start: UInt32(truncatingIfNeeded: records.half(place)), count: records.short(place + 4),
        kind: EntryKind(cached: records[place + 6]), isIncluded: flags & CacheLayout.isIncluded != 0,
        isEntered: flags & CacheLayout.isEntered != 0)
    }
    var listing = FolderListing(path: path, stamp: stamp, entries: entries, names: Array(names))
    listing?.isWorkTree = flags & CacheLayout.isWorkTree != 0
    return listing
  }

  func entry(_ number: Int) -> Entry? {
    guard (0..<entryCount).contains(number),
      let record = index.bytes(entries + number * CacheLayout.entrySize, CacheLayout.entrySize)
    else { return nil }
    let start = record.half(0), count = Int(record.short(4))
    guard start + count <= namesCount, let name = index.bytes(names + start, count) else { return nil }
    return Entry(record: record, name: name)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func short(_ offset: Int) -> UInt16 {
    UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }
}

extension FileTime {
  fileprivate init(_ word: UInt64) {
    self.init(total: Int64(bitPattern: word))
  }
}

extension UInt64 {
  init(_ time: FileTime) {
    self.init(bitPattern: time.total)
  }
}

extension EntryKind {
  private static let cached: [EntryKind] = [
    .unknown, .regular, .directory, .symbolicLink, .fifo, .socket, .device,
  ]

  init(cached number: UInt8) {
    self = Int(number) < EntryKind.cached.count ? EntryKind.cached[Int(number)] : .unknown
  }

  var cached: UInt8 { UInt8(EntryKind.cached.firstIndex(of: self) ?? 0) }
}
