import Files
import Glibc

/// Memory for a part of a cache file. It is not zeroed before it is read into.
///
/// It is written only by the call that fills it, before anybody else has it.
final class CacheBuffer: @unchecked Sendable {  // Filled before it is shared, then only read.
  private let memory: UnsafeMutableRawBufferPointer

  init(capacity: Int) {
    memory = .allocate(byteCount: max(capacity, 1), alignment: 16)
  }

  deinit { memory.deallocate() }

  var capacity: Int { memory.count }

  /// Returns the first bytes.
  func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[..<min(count, memory.count)])
  }

  /// Reads a range of a file to the front. Returns false if the file does not have all of it. A
  /// file that another program truncates only makes this fail, which a mapping of it would not
  /// survive.
  func read(_ range: Range<Int>, of file: CInt) -> Bool {
    guard range.count <= memory.count else { return false }
    var done = 0
    while done < range.count {
      let count = retryOnInterrupt {
        pread(file, memory.baseAddress.map { $0 + done }, range.count - done, off_t(range.lowerBound + done))
      }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
