import Files
import Folder
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Glibc
import SystemPackage

/// A new folder in the system's temporary folder, which is removed with the last reference.
final class OwnFolder: Sendable {
  let path: String

  init() throws(StoreError) {
    let folder = FileManager.default.temporaryDirectory.path
    var template = Array("\(folder)/plain-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(
        .system, "A temporary folder cannot be created in \(folder): \(Errno(rawValue: errno).reason).")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
