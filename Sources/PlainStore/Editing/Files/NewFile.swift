import DirectoryWatch
import Glibc
import LinuxFiles
import SystemPackage

/// A file that is being written under a temporary name.
struct NewFile: ~Copyable {
  private let file: Descriptor

  var descriptor: CInt { file.raw }

  init(_ file: consuming Descriptor) {
    self.file = file
  }

  borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
    do throws(Errno) { try file.write(all: bytes) } catch { throw SystemFailure("Writing it", error) }
  }

  /// Brings the file to the disk. A failure is final: after it the system may have dropped what was
  /// not written, and a second `fsync` would succeed.
  borrowing func sync() throws(SystemFailure) {
    do throws(Errno) { try file.sync() } catch { throw SystemFailure("Bringing it to the disk", error) }
  }

  borrowing func stamp() throws(SystemFailure) -> FileStamp {
    do throws(Errno) {
      return try FileStatus(of: file.raw).stamp
    } catch {
      throw SystemFailure("Examining a temporary file", error)
    }
  }
}
