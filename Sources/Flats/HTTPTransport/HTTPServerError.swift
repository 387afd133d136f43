import Files
import Glibc
import NIOCore
import SystemPackage

/// The reason why a server cannot listen.
package struct HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a reason.
  package enum Code: Sendable, Hashable {
    /// Another program listens on the port.
    case portInUse
    /// The machine does not have the address, or it is not an IP address.
    case noAddress
    /// Only privileged users may listen on the port.
    case denied
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
      code: .noAddress, description: "`\(text)` is not an IP address. Write one such as 127.0.0.1 or [::1].")
  }

  /// Describes an error of the system.
  init(_ error: any Error, address: String, port: Int) {
    let place = "\(address.contains(":") ? "[\(address)]" : address):\(port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      self.init(
        code: .portInUse,
        description: "Another program listens on \(place). End it, or choose another port with --listen.")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      self.init(
        code: .noAddress,
        description: "This machine does not have the address \(address). `ip address` lists its addresses.")
    case EACCES, EPERM:
      self.init(code: .denied, description: "Only root may listen on \(place). Choose a port from 1024.")
    case let code:
      self.init(
        code: .system,
        description: "Cannot listen on \(place): \(code.map { Errno(rawValue: $0).reason } ?? "\(error)").")
    }
  }

  /// Describes why a Unix socket cannot be used.
  init(_ error: any Error, path: String) {
    let reason = (error as? IOError).map { Errno(rawValue: $0.errnoCode) } ?? error as? Errno
    self.init(code: .system, description: "Cannot listen on \(path): \(reason?.reason ?? "\(error)").")
  }

  private init(code: Code, description: String) {
    self.code = code
    self.description = description
  }
}
