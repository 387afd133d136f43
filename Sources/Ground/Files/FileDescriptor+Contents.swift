import Glibc
package import SystemPackage

extension FileDescriptor {
  /// Reads a file from its first byte to its end. The offset stays as it is.
  package func contents() throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try systemCall { Glibc.pread(rawValue, &buffer, buffer.count, off_t(bytes.count)) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  package func prefix(_ count: Int) -> [UInt8] { bytes(0..<count) }

  /// Reads a part of a file; fewer bytes if it is shorter or cannot be read. The offset stays as it is.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      while initialized < range.count {
        let got = retryOnInterrupt {
          Glibc.pread(
            rawValue, buffer.baseAddress.map { $0 + initialized }, range.count - initialized,
            off_t(range.lowerBound + initialized))
        }
        if got <= 0 { return }
        initialized += got
      }
    }
  }

  /// Writes all bytes at the current offset. Waits where the descriptor is non-blocking.
  package func write(all bytes: [UInt8]) throws(Errno) {
    var start = 0
    while start < bytes.count {
      let count = retryOnInterrupt {
        bytes.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress.map { $0 + start }, $0.count - start) }
      }
      if count < 0 {
        try wait(for: POLLOUT, after: .current)
        continue
      }
      start += count
    }
  }

  /// Waits until a descriptor is ready that another program may have made non-blocking.
  package func wait(for event: CInt, after error: Errno) throws(Errno) {
    guard error == .resourceTemporarilyUnavailable else { throw error }
    var request = pollfd(fd: rawValue, events: Int16(event), revents: 0)
    Glibc.poll(&request, 1, -1)
  }
}
