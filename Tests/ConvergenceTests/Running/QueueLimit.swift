import Foundation
import Glibc

/// The length of inotify's queue for those who open one from now on. The whole machine's: it is short only for as long as `body` takes.
enum QueueLimit {
  private static let path = "/proc/sys/fs/inotify/max_queued_events"
  private static let usual = 16_384

  static let isOurs = access(path, W_OK) == 0

  static func with<Result>(_ limit: Int, _ body: () throws -> Result) throws -> Result {
    // One at a time, whoever else runs these tests: or one would put back the limit of another.
    let lock = open("/var/tmp/notes-watch-queue-limit", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    defer { close(lock) }
    while flock(lock, LOCK_EX) < 0, errno == EINTR {}
    let old = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0.filter(\.isNumber)) } ?? usual
    try set(limit)
    defer { try? set(old <= limit ? usual : old) }
    return try body()
  }

  private static func set(_ limit: Int) throws { try "\(limit)".write(toFile: path, atomically: false, encoding: .utf8) }
}
