import Glibc
import Synchronization

/// A number below `/proc/sys` that a test changes for a moment. It holds for the whole machine: change it only while something begins, and only where it is what the test is about.
package enum KernelSetting {
  private static let lock = Mutex(())

  /// Whether it may be changed here.
  package static func canSet(_ name: String) -> Bool { geteuid() == 0 && access(path(name), W_OK) == 0 }

  /// Sets it, runs `body`, and sets it back. One at a time.
  package static func with<Result>(_ name: String, at value: Int, _ body: () throws -> Result) throws -> Result {
    try lock.withLock { _ in
      let old = try read(name)
      try write(name, "\(value)")
      defer { try? write(name, old) }
      return try body()
    }
  }

  private struct Failure: Error {
    let name: String
    let code: CInt
  }

  private static func path(_ name: String) -> String { "/proc/sys/\(name)" }

  private static func read(_ name: String) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = try withOpen(name, O_RDONLY) { Glibc.read($0, &bytes, bytes.count) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func write(_ name: String, _ text: String) throws {
    _ = try withOpen(name, O_WRONLY) { Glibc.write($0, text, text.utf8.count) }
  }

  private static func withOpen(_ name: String, _ mode: CInt, _ body: (CInt) -> Int) throws -> Int {
    let file = open(path(name), mode | O_CLOEXEC)
    guard file >= 0 else { throw Failure(name: name, code: errno) }
    defer { close(file) }
    let count = body(file)
    if count < 0 { throw Failure(name: name, code: errno) }
    return count
  }
}
