import Foundation
import TestSupport

extension TemporaryFolder {
  /// Returns the text of a file.
  func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

  /// True if there is a file or folder of this name.
  func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  /// The bytes of all files, by their paths below this folder. Temporary files are included.
  var files: [String: [UInt8]] {
    get throws {
      var found: [String: [UInt8]] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder),
          !isFolder.boolValue
        else { continue }
        found[name] = try bytes(of: name)
      }
      return found
    }
  }
}
