import Files
import SystemPackage

extension Descriptor {
  /// Opens the root. Links are followed: the root may be one.
  static func root(_ root: RootPath) throws(WatchError) -> Descriptor {
    do throws(Errno) {
      return try Descriptor.folder(root.absolute)
    } catch {
      throw .opening(root.given, error.rawValue)
    }
  }
}
