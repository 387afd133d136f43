import DirectoryWatch
import Foundation

/// A new folder in the system's temporary folder, which is removed with the last reference.
final class OwnFolder: Sendable {
  let path: String

  init() throws(StoreError) {
    let url = FileManager.default.temporaryDirectory.appending(path: "plain-store-\(UUID().uuidString.lowercased())")
    path = url.path
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw StoreError(.system, "The temporary folder \(url.path) cannot be created: \(error.localizedDescription)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
