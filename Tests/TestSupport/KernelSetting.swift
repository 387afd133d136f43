import Foundation
import Glibc

/// A number below `/proc/sys` that a test changes for a moment.
///
/// The setting affects the whole machine. Change it only while something starts, and only if the
/// test is about it.
package struct KernelSetting: Sendable {
  /// The length of inotify queues that are created from now on, in events.
  package static let queueLength = KernelSetting(name: "fs/inotify/max_queued_events", default: 16_384)

  private let name: String
  /// The value to restore if a killed test left a smaller number behind.
  private let `default`: Int

  private var path: String { "/proc/sys/\(name)" }

  /// True if this process may change the setting.
  package var canBeSet: Bool { geteuid() == 0 && access(path, W_OK) == 0 }

  /// Changes the setting while `body` runs.
  ///
  /// A lock makes other processes that run these tests wait, because they would restore each
  /// other's number.
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

  /// Changes the setting, and returns the number to restore.
  private func begin(_ value: Int) throws -> Int {
    let old = try Int(String(contentsOfFile: path, encoding: .utf8).filter(\.isNumber)) ?? `default`
    try set(value)
    return old <= value ? `default` : old
  }

  private func set(_ value: Int) throws {
    try "\(value)".write(toFile: path, atomically: false, encoding: .utf8)
  }
}
