import Files
import Glibc
import Synchronization

/// A cache file that is open for reading. Parts of it are read when they are needed, into buffers
/// that are used again.
///
/// Another program may replace the file by a new one in the meantime: this one stays as it is.
final class CacheFile: Sendable {
  /// A part in memory. It has no bytes if it is damaged.
  struct LoadedPart: Sendable {
    fileprivate let buffer: CacheBuffer?
    fileprivate let count: Int

    /// The bytes, until the part is released.
    var bytes: UnsafeRawBufferPointer { buffer?.bytes(count) ?? UnsafeRawBufferPointer(start: nil, count: 0) }
  }

  let index: CacheIndex
  /// The depth that a value may have.
  let depth: Int
  let counts: CacheCounts
  private let file: Descriptor
  /// The buffers that no thread uses now.
  /// Lock: guards memory for parts of a cache file that no thread uses now.
  private let buffers = Mutex<[CacheBuffer]>([])

  /// Reads the header and the index of a file.
  ///
  /// - Returns: Nil if it cannot be used: it is damaged, of another version or data set, or belongs
  ///   to somebody else.
  init?(_ file: consuming Descriptor, of identity: CacheIdentity, depth: Int, counts: CacheCounts) {
    guard let size = CacheFile.ownSize(of: file.raw), size >= CacheLayout.headerSize else { return nil }
    let first = CacheBuffer(capacity: CacheLayout.headerSize)
    guard first.read(0..<CacheLayout.headerSize, of: file.raw),
      let header = CacheHeader(first.bytes(CacheLayout.headerSize), of: identity, fileSize: size)
    else { return nil }
    let buffer = CacheBuffer(capacity: header.index.count)
    guard buffer.read(header.index, of: file.raw), let index = CacheIndex(buffer, header) else { return nil }
    self.index = index
    self.file = file
    self.depth = depth
    self.counts = counts
  }

  /// Returns the size of an open file; nil unless it is a regular file that only this user can
  /// change.
  static func ownSize(of file: CInt) -> Int? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & (S_IRWXG | S_IRWXO) == 0, status.st_size <= CacheFolder.maxSize
    else { return nil }
    return Int(status.st_size)
  }

  /// Reads a part and checks it.
  func load(_ number: Int) -> LoadedPart {
    guard let part = index.part(number) else { return LoadedPart(buffer: nil, count: 0) }
    let buffer = buffers.withLock { $0.popLast() } ?? CacheBuffer(capacity: CacheLayout.maxPartSize)
    let isGood =
      buffer.read(part.range, of: file.raw)
      && CacheChecksum.of(buffer.bytes(part.range.count), seed: index.seed) == part.checksum
    return LoadedPart(buffer: buffer, count: isGood ? part.range.count : 0)
  }

  /// Gives the memory of a part back. Its bytes must no longer be used.
  func release(_ part: LoadedPart) {
    if let buffer = part.buffer { buffers.withLock { $0.append(buffer) } }
  }
}
