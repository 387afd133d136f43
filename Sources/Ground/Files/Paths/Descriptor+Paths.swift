import CLinux
import Glibc
package import SystemPackage

extension Descriptor {
  /// Opens what is at `path` below an open folder, without following a link or leaving the folder.
  package static func beneath(_ folder: CInt, _ path: RelativePath, _ flags: CInt) throws(Errno) -> Descriptor
  {
    Descriptor(owning: try systemCall { path.withCString { clinux_open_beneath(folder, $0, flags) } })
  }

  package static func folder(beneath folder: CInt, _ path: RelativePath) throws(Errno) -> Descriptor {
    path == .root
      ? try reopening(folder: folder) : try beneath(folder, path, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
  }
}
