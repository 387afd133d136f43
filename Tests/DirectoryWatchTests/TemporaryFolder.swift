import Foundation
import Glibc

/// A folder of its own for one test, removed with the last reference. Also runs programs in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("\(NSTemporaryDirectory())/directory-watch-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    // Without links, as inotify's user sees it.
    path = template.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress, let resolved = realpath(start, nil) else { return "" }
      defer { free(resolved) }
      return String(cString: resolved)
    }
  }

  deinit {
    // Some tests take permissions away.
    _ = try? Self.run("chmod -R u+rwX . ; rm -rf \"$PWD\"", in: path)
  }

  /// By a process of its own: a descriptor open in this one may be inherited by a child that another test starts, and closed, with an event, late.
  func write(_ text: String, to name: String) throws {
    try shell("mkdir -p \"$(dirname '\(name)')\"; printf %s '\(text)' > '\(name)'")
  }

  /// Runs a shell script in the folder and waits for it; throws where it fails. A git in it knows nobody's settings.
  @discardableResult
  func shell(_ script: String) throws -> String {
    try Self.run("set -e; \(script)", in: path)
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func has(_ program: String) -> Bool {
    (try? run("command -v \(program)", in: "/")) != nil
  }

  private static func run(_ script: String, in folder: String) throws -> String {
    let process = Process(), output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    for (name, value) in [
      "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder, "GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.org", "GIT_COMMITTER_NAME": "n",
      "GIT_COMMITTER_EMAIL": "n@example.org", "GIT_EDITOR": "true", "LC_ALL": "C",
    ] { environment[name] = value }
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure(description: "`\(script)` exits \(process.terminationStatus): \(text)") }
    return text
  }
}
