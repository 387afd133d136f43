import CLinux
import Glibc
package import LinuxFiles
package import SystemPackage

extension Descriptor {
  /// Opens the root. Links are followed: the root may be one.
  static func root(_ root: RootPath) throws(WatchError) -> Descriptor {
    do throws(Errno) {
      return try Descriptor.folder(root.absolute)
    } catch {
      throw .opening(root.given, error.rawValue)
    }
  }

  /// Opens what is at `path` below an open folder, without following a link or leaving the folder.
  package static func beneath(_ folder: CInt, _ path: RelativePath, _ flags: CInt) throws(Errno) -> Descriptor {
    Descriptor(owning: try systemCall { path.withCString { clinux_open_beneath(folder, $0, flags) } })
  }

  /// Opens a folder below an open one, without following a link or leaving it.
  package static func folder(beneath folder: CInt, _ path: RelativePath) throws(Errno) -> Descriptor {
    path == .root ? try reopening(folder: folder) : try beneath(folder, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
  }
}
