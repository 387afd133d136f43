import Foundation
import Glibc

/// A folder of its own for one test, removed with the last reference. Not in the system's temporary folder, where vim writes otherwise than it does elsewhere.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/var/tmp/notes-watch-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// With these files in it.
  package convenience init(_ files: KeyValuePairs<String, String>) throws {
    try self.init()
    for (name, text) in files { try write(text, to: name) }
  }

  deinit {
    // Some tests take permissions away, and some names are not UTF-8, which FileManager cannot remove.
    _ = try? Shell.run("chmod -R u+rwX \"$PWD\"; rm -rf \"$PWD\"", in: path)
  }

  /// Makes the folders on the way.
  package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  package func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  package func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))) }

  package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  package func makeFIFO(_ name: String) throws {
    guard mkfifo("\(path)/\(name)", 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// Gives the folder another name; what is at `path` from then on is the test's.
  package func rename(to name: String) throws { try FileManager.default.moveItem(atPath: path, toPath: name) }

  /// Runs a shell script in the folder and waits for it; throws where it fails.
  @discardableResult
  package func shell(_ script: String) throws -> String { try Shell.run("set -e; \(script)", in: path) }
}

/// What this machine has, for tests that need more than the package itself.
package enum Machine {
  package static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  package static let isRoot = geteuid() == 0
}
