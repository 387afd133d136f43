package import Files
import Glibc
package import SystemPackage

extension FileDescriptor {
  /// Reads to the end of a file or pipe, waiting if it is non-blocking; nil beyond `maximum` bytes.
  package func readAll(upTo maximum: Int) throws(Errno) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retryOnInterrupt { Glibc.read(rawValue, &buffer, buffer.count) }
      if count == 0 { return bytes }
      if count < 0 {
        try wait(for: POLLIN, after: .current)
        continue
      }
      bytes += buffer[..<count]
      if bytes.count > maximum { return nil }
    }
  }

  package func readAll() throws(Errno) -> [UInt8] { try readAll(upTo: .max) ?? [] }
}

extension Descriptor {
  package borrowing func readAll(upTo maximum: Int) throws(Errno) -> [UInt8]? {
    try FileDescriptor(rawValue: raw).readAll(upTo: maximum)
  }

  package borrowing func readAll() throws(Errno) -> [UInt8] { try FileDescriptor(rawValue: raw).readAll() }
}
