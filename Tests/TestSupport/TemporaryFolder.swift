import Foundation
import Glibc

/// A new folder for one test, removed with the last reference.
///
/// It is not in the system's temporary folder, where vim saves files in another way than elsewhere.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/var/tmp/notes-watch-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Creates the folder with files in it.
  ///
  /// - Parameter files: the texts of the files by their paths below the folder.
  package convenience init(_ files: [String: String]) throws {
    try self.init()
    for (name, text) in files { try write(text, to: name) }
  }

  deinit {
    // Some tests remove permissions. Some names are not UTF-8, and FileManager cannot remove such
    // files.
    _ = try? Shell.run("chmod -R u+rwX \"$PWD\"; rm -rf \"$PWD\"", in: path)
  }

  /// Writes a file, and creates the folders that its path needs.
  package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  /// Writes a file, and creates the folders that its path needs.
  package func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  package func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
  }

  package func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

  package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  package func makeFIFO(_ name: String) throws {
    guard mkfifo("\(path)/\(name)", 0o600) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Renames the folder. The test then has to remove it; what is at `path` afterwards is removed as
  /// before.
  package func rename(to name: String) throws { try FileManager.default.moveItem(atPath: path, toPath: name) }

  /// Runs a shell script in the folder and waits for it.
  ///
  /// - Returns: its output on both streams.
  /// - Throws: `Shell.Failure` if a command of it fails.
  @discardableResult
  package func shell(_ script: String) throws -> String { try Shell.run("set -e; \(script)", in: path) }
}
