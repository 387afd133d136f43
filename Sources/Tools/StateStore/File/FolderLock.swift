import Files
import Glibc
import SystemPackage

/// The lock of a folder, held while a state in it is opened or replaced.
enum FolderLock {
  private static let attempts = 500
  private static let pause: CInt = 10

  /// Runs `body` while no other process opens or replaces a state in the folder. After five seconds
  /// it runs without the lock, as it does where the file system has none.
  static func with<Result, Failure: Error>(_ path: String, _ body: (CInt) throws(Failure) -> Result)
    throws(StateFailure) -> Result
  {
    do {
      let folder = try Descriptor.folder(path)
      for _ in 0..<attempts {
        if flock(folder.raw, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { break }
        poll(nil, 0, pause)
      }
      return try body(folder.raw)
    } catch {
      throw StateFailure(error)
    }
  }
}
