import Files
import Glibc
import Synchronization

/// A cache file that is open for reading. Parts of it are read when they are needed, into buffers
/// that are used again.
///
/// Another program may replace the file by a new one in the meantime: this one stays as it is.
final class CacheFile: Sendable {
  let index: CacheIndex
  let depth: Int
  private let hitCount = Atomic(0)
  private let listingCount = Atomic(0)
  private let file: Descriptor
  /// Lock: guards memory for parts of a cache file that no thread uses now.
  private let buffers = Mutex<[CacheBuffer]>([])

  /// Reads the header and the index of a file; nil if it cannot be used: it is damaged, of another
  /// version or data set, or belongs to somebody else.
  init?(_ file: consuming Descriptor, of identity: CacheIdentity, depth: Int) {
    guard let size = CacheFile.ownSize(of: file.raw), size >= CacheLayout.headerSize else { return nil }
    let first = CacheBuffer(capacity: CacheLayout.headerSize)
    guard first.read(0..<CacheLayout.headerSize, of: file.raw),
      let header = CacheHeader(first.bytes, of: identity, fileSize: size)
    else { return nil }
    let buffer = CacheBuffer(capacity: header.index.count)
    guard buffer.read(header.index, of: file.raw), let index = CacheIndex(buffer, header) else { return nil }
    self.index = index
    self.file = file
    self.depth = depth
  }

  /// Returns the size of an open file; nil unless it is regular and only this user can change it.
  static func ownSize(of file: CInt) -> Int? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & (S_IRWXG | S_IRWXO) == 0, status.st_size <= CacheFolder.maxSize
    else { return nil }
    return Int(status.st_size)
  }

  /// The number of files that were not opened.
  var hits: Int { hitCount.load(ordering: .relaxed) }
  /// The number of folders that were not listed.
  var listings: Int { listingCount.load(ordering: .relaxed) }

  /// Counts files that were not opened. A thread calls it when it is done with a folder.
  func add(hits: Int) { hitCount.wrappingAdd(hits, ordering: .relaxed) }

  func addListing() { listingCount.wrappingAdd(1, ordering: .relaxed) }

  /// Reads a part and checks it; nil if it is damaged.
  func load(_ number: Int) -> CacheBuffer? {
    guard let part = index.part(number) else { return nil }
    let buffer = buffers.withLock { $0.popLast() } ?? CacheBuffer(capacity: CacheLayout.maxPartSize)
    if buffer.read(part.range, of: file.raw),
      CacheChecksum.of(buffer.bytes, seed: index.seed) == part.checksum
    {
      return buffer
    }
    release(buffer)
    return nil
  }

  /// Gives the memory of a part back. Its bytes must no longer be used.
  func release(_ buffer: CacheBuffer) { buffers.withLock { $0.append(buffer) } }
}

/// Memory for a part of a cache file. It is not zeroed before it is read into.
///
/// It is written only by the call that fills it, before anybody else has it.
final class CacheBuffer: @unchecked Sendable {  // Filled before it is shared, then only read.
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: max(capacity, 1), alignment: 16)
  }

  deinit { memory.deallocate() }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Reads a range of a file; false if the file does not have all of it. Truncation by another program
  /// makes only this fail; a mapping of the file would not survive it.
  func read(_ range: Range<Int>, of file: CInt) -> Bool {
    count = 0
    guard range.count <= memory.count else { return false }
    var done = 0
    while done < range.count {
      let got = retryOnInterrupt {
        pread(file, memory.baseAddress.map { $0 + done }, range.count - done, off_t(range.lowerBound + done))
      }
      if got <= 0 { return false }
      done += got
    }
    count = done
    return true
  }
}
