import Files
import Glibc
import NIOCore
import SystemPackage

/// The reason why a server cannot listen, on TCP or on a Unix socket.
package struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a reason.
  package enum Code: Sendable, Hashable {
    /// Another program listens on the port.
    case portInUse
    /// The machine does not have the address, or it is not an IP address.
    case noAddress
    /// Only privileged users may listen on the port; or the socket or its folder belongs to another
    /// user, or other users may write to it.
    case denied
    /// There is no folder for sockets, or the path cannot be used.
    case badPath
    /// Another daemon serves the socket.
    case alreadyRunning
    /// Another error of the system.
    case system
  }

  /// The kind of the reason.
  package let code: Code
  /// One or two sentences: what is wrong, and what to do.
  package let description: String

  /// The error of a text that is not an IP address.
  static func notAnAddress(_ text: String) -> HTTPServerError {
    HTTPServerError(
      .noAddress, "`\(text)` is not an IP address. Write one such as 127.0.0.1 or [::1].")
  }

  /// Describes an error of the system.
  init(_ error: any Error, address: String, port: Int) {
    let place = "\(address.contains(":") ? "[\(address)]" : address):\(port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      self.init(
        .portInUse,
        "Another program listens on \(place). End it, or choose another port with --listen.")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      self.init(
        .noAddress,
        "This machine does not have the address \(address). `ip address` lists its addresses.")
    case EACCES, EPERM:
      self.init(.denied, "Only root may listen on \(place). Choose a port from 1024.")
    case let code:
      self.init(
        .system,
        "Cannot listen on \(place): \(code.map { Errno(rawValue: $0).reason } ?? "\(error)").")
    }
  }

  /// Describes why a Unix socket cannot be used.
  init(_ error: any Error, path: String) {
    let reason = (error as? IOError).map { Errno(rawValue: $0.errnoCode) } ?? error as? Errno
    self.init(.system, "Cannot listen on \(path): \(reason?.reason ?? "\(error)").")
  }

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
