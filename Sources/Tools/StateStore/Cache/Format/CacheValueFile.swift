import Files
import Glibc
import Synchronization
import SystemPackage

/// The values of a new cache file, which several threads write part by part.
final class CacheValueFile: Sendable {
  private struct Contents {
    var parts: [CacheIndex.Part] = []
    var end = CacheLayout.headerSize
    var error: Errno?
  }

  private let file: CInt
  private let seed: UInt64
  /// Lock: guards the parts of a new cache file.
  private let contents = Mutex(Contents())

  init(_ file: CInt, _ identity: CacheIdentity) {
    self.file = file
    seed = identity.seed
  }

  /// The first error.
  var error: Errno? { contents.withLock(\.error) }

  /// Returns the number of a new part.
  func begin() -> Int {
    contents.withLock { contents in
      contents.parts.append(CacheIndex.Part(range: 0..<0, checksum: 0))
      return contents.parts.count - 1
    }
  }

  /// Writes the bytes of a part.
  func write(_ bytes: UnsafeRawBufferPointer, asPart number: Int) {
    let checksum = CacheChecksum.of(bytes, seed: seed)
    let start = contents.withLock { contents in
      let start = contents.end
      contents.parts[number] = CacheIndex.Part(range: start..<start + bytes.count, checksum: checksum)
      contents.end += bytes.count
      return start
    }
    do throws(Errno) {
      try CacheValueFile.write(bytes, at: start, to: file)
    } catch {
      contents.withLock { $0.error = $0.error ?? error }
    }
  }

  /// Returns all parts, and the end of the last one.
  var written: (parts: [CacheIndex.Part], end: Int) { contents.withLock { ($0.parts, $0.end) } }

  /// Writes bytes at a place of a file.
  static func write(_ bytes: [UInt8], at offset: Int, to file: CInt) throws(Errno) {
    try bytes.withUnsafeBufferPointer { bytes throws(Errno) in
      try write(UnsafeRawBufferPointer(bytes), at: offset, to: file)
    }
  }

  /// Writes bytes at a place of a file.
  ///
  /// - Throws: `fileTooLarge` before the file exceeds a limit of this process (`ulimit -f`): the
  ///   system would end the process.
  static func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, to file: CInt) throws(Errno) {
    var limit = rlimit()
    if offset + bytes.count > CacheFolder.maxSize { throw .fileTooLarge }
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      UInt64(offset + bytes.count) > limit.rlim_cur
    {
      throw .fileTooLarge
    }
    var done = 0
    while done < bytes.count {
      done += try systemCall {
        pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      }
    }
  }
}

/// The part of the values that one thread writes now.
struct CacheValuePart: ~Copyable {
  private let file: CacheValueFile
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0
  private var number = 0

  init(_ file: CacheValueFile) {
    self.file = file
    memory = .allocate(byteCount: CacheLayout.maxPartSize, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Adds a value of at most `CacheLayout.maxValueSize` bytes, and returns its place.
  mutating func append(_ value: UnsafeRawBufferPointer) -> (part: Int, offset: Int) {
    if count == 0 { number = file.begin() }
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

  /// Writes what was added since the last complete part.
  mutating func finish() {
    if count == 0 { return }
    file.write(UnsafeRawBufferPointer(rebasing: memory[..<count]), asPart: number)
    count = 0
  }
}
