import CLinux
import DirectoryWatch
import Glibc

/// A new file under a temporary name, open for writing.
struct NewFile: ~Copyable {
  let descriptor: CInt

  init(owning descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var count = 0
    while count < bytes.count {
      let written = bytes.withUnsafeBytes { raw in Glibc.write(descriptor, raw.baseAddress.map { $0 + count }, raw.count - count) }
      if written < 0 {
        let code = errno
        if code == EINTR { continue }
        throw SystemFailure("Writing it", code)
      }
      count += written
    }
  }

  /// Brings the file to the disk. Never retried after a failure: the system may have dropped the
  /// unwritten data, and the next call would succeed.
  borrowing func sync() throws(SystemFailure) {
    while fsync(descriptor) < 0 {
      let code = errno
      if code == EINTR { continue }
      throw SystemFailure("Writing it to the disk", code)
    }
  }

  borrowing func stamp() throws(SystemFailure) -> FileStamp {
    guard let stamp = FileStamp(of: descriptor) else { throw SystemFailure("Reading the attributes of a temporary file", errno) }
    return stamp
  }
}

extension FileStamp {
  /// Of an open file; nil and `errno` where it cannot be found out.
  init?(of descriptor: CInt) {
    var raw = clinux_stamp()
    guard retrying({ clinux_stat(descriptor, "", &raw) }) == 0 else { return nil }
    self.init(raw)
  }
}
