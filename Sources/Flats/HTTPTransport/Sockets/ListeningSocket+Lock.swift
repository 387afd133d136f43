import Files
import Glibc
import Serve
import SystemPackage

/// The lock file beside the socket. A daemon holds it as long as it lives; the file contains its
/// process id and is never removed.
extension ListeningSocket {
  /// Acquires the lock; fails with `alreadyRunning` if another process has it.
  static func acquireLock(for path: SocketPath) throws(HTTPServerError) -> Descriptor {
    let name = "\(path).lock"
    let file: Descriptor
    do throws(Errno) {
      file = try Descriptor.open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
    } catch {
      throw HTTPServerError(.system, "The lock of the socket, \(name), cannot be opened: \(error.reason).")
    }
    guard let status = try? FileStatus(of: file.raw), status.isRegularFile else {
      throw HTTPServerError(.badPath, "The lock of the socket, \(name), is not a file. Remove it.")
    }
    if flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else {
        throw HTTPServerError(
          .system, "The lock of the socket, \(name), cannot be used: \(Errno.current.reason).")
      }
      throw alreadyRunning(process(in: file.raw), path)
    }
    record(getpid(), in: file.raw)
    return file
  }

  /// Acquires the lock of a socket that another program made; nil if its folder cannot hold a lock.
  static func acquireLockIfPossible(for path: SocketPath) throws(HTTPServerError) -> Descriptor? {
    do throws(HTTPServerError) {
      return try acquireLock(for: path)
    } catch {
      if error.code == .alreadyRunning { throw error }
      return nil
    }
  }

  static func alreadyRunning(_ process: pid_t?, _ path: SocketPath) -> HTTPServerError {
    let id = process.map { ", pid \($0)" } ?? ""
    return HTTPServerError(
      .alreadyRunning, "A daemon is already running\(id), and serves \(path). Stop it first.")
  }

  private static func process(in file: CInt) -> pid_t? {
    let text = String(
      decoding: FileDescriptor(rawValue: file).prefix(20).prefix { $0 != 0x0A }, as: UTF8.self)
    return pid_t(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Writes a process id. It is only for messages, so a failure does no harm.
  private static func record(_ process: pid_t, in file: CInt) {
    guard ftruncate(file, 0) == 0 else { return }
    try? FileDescriptor(rawValue: file).write(all: Array("\(process)\n".utf8))
  }
}
