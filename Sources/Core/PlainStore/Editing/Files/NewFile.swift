import Files
import Glibc
import SystemPackage

/// A new file under a temporary name, open for writing.
struct NewFile: ~Copyable {
  private let file: Descriptor

  var descriptor: CInt { file.raw }

  init(_ file: consuming Descriptor) {
    self.file = file
  }

  borrowing func write(_ bytes: [UInt8]) throws(SystemFailure) {
    do throws(Errno) { try file.write(all: bytes) } catch { throw SystemFailure("Writing it", error) }
  }

  /// Brings the file to the disk. Never retried after a failure: the system may have dropped the
  /// unwritten data, and the next call would succeed.
  borrowing func sync() throws(SystemFailure) {
    do throws(Errno) { try file.sync() } catch { throw SystemFailure("Writing it to the disk", error) }
  }

  borrowing func stamp() throws(SystemFailure) -> FileStamp {
    do throws(Errno) {
      return try FileStatus(of: file.raw).stamp
    } catch {
      throw SystemFailure("Reading the attributes of a temporary file", error)
    }
  }
}
