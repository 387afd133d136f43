import Glibc
import NIOCore

/// The program at the other end of a Unix socket, as the system knows it (`ucred`).
struct LocalPeer {
  /// The process that connected.
  var process: pid_t = 0
  /// Its user.
  var user: uid_t = 0
  /// Its group.
  var group: gid_t = 0

  /// True if the user may use a server of this process.
  var isTrusted: Bool { user == geteuid() || user == 0 }

  /// Reads who connected.
  static func of(_ channel: any Channel) -> EventLoopFuture<LocalPeer> {
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    return options.unsafeGetSocketOption(level: .socket, name: .init(rawValue: SO_PEERCRED))
  }
}
