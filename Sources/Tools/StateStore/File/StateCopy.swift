import Files
import Glibc
import SystemPackage

/// A private copy of a state that cannot be written where it is. SQLite cannot read a database with
/// a log in a folder that is read-only.
final class StateCopy {
  private let folder: String
  /// The copy of the file.
  var path: String { "\(folder)/state" }

  private static let parts = ["", "-wal"]

  /// Copies a state. The process must not have it open.
  init(of path: String) throws(Errno) {
    var template = Array("/tmp/notes-watch-XXXXXX".utf8CString)  // The folder of the state cannot be written.
    guard mkdtemp(&template) != nil else { throw .current }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    for part in StateCopy.parts {
      do {
        let bytes = try Descriptor.open(path + part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).readAll()
        try Descriptor.open(self.path + part, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode: 0o600).write(
          all: bytes)
      } catch  where error == .noSuchFileOrDirectory {
        continue
      }
    }
  }

  deinit {
    for part in StateCopy.parts { unlink("\(folder)/state\(part)") }
    rmdir(folder)
  }
}
