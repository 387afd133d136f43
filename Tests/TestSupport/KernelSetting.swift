import Foundation
import Glibc

/// A number below `/proc/sys` that a test changes for a moment. It holds for the whole machine: change it only while something begins, and only where it is what the test is about.
package struct KernelSetting: Sendable {
  /// How many events wait in a queue of inotify that is made from now on.
  package static let queueLength = KernelSetting(name: "fs/inotify/max_queued_events", usual: 16_384)

  private let name: String
  /// What a test that was killed is taken to have found, where it left a smaller number behind.
  private let usual: Int

  private var path: String { "/proc/sys/\(name)" }

  /// Whether it may be changed here.
  package var canBeSet: Bool { geteuid() == 0 && access(path, W_OK) == 0 }

  /// Sets it, runs `body`, and sets it back. One at a time, whoever else runs these tests: or one would put back the number of another.
  package func with<Result>(_ value: Int, _ body: () throws -> Result) throws -> Result {
    let lock = lock()
    defer { close(lock) }
    let old = try begin(value)
    defer { try? set(old) }
    return try body()
  }

  package func with<Result>(_ value: Int, _ body: () async throws -> Result) async throws -> Result {
    let lock = lock()
    defer { close(lock) }
    let old = try begin(value)
    defer { try? set(old) }
    return try await body()
  }

  private func lock() -> CInt {
    let lock = open("/var/tmp/notes-watch-kernel-setting", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    while flock(lock, LOCK_EX) < 0, errno == EINTR {}
    return lock
  }

  /// Answers what to set it back to.
  private func begin(_ value: Int) throws -> Int {
    let old = try Int(String(contentsOfFile: path, encoding: .utf8).filter(\.isNumber)) ?? usual
    try set(value)
    return old <= value ? usual : old
  }

  private func set(_ value: Int) throws { try "\(value)".write(toFile: path, atomically: false, encoding: .utf8) }
}
