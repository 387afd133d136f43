import Files
import Glibc

/// Bytes that the terminal did not accept yet.
struct OutputQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  /// True if everything is written.
  var isEmpty: Bool { start == bytes.count }

  /// Adds bytes.
  mutating func append(_ more: [UInt8]) {
    if isEmpty { removeAll() }
    bytes += more
  }

  /// Forgets the bytes that are not written.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    start = 0
  }

  /// Writes what a non-blocking descriptor accepts now.
  ///
  /// - Returns: False if the terminal is gone.
  mutating func write(to descriptor: CInt) -> Bool {
    while !isEmpty {
      let count = retryOnInterrupt {
        bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start) }
      }
      if count < 0 { return errno == EAGAIN }
      start += count
    }
    removeAll()
    return true
  }
}
