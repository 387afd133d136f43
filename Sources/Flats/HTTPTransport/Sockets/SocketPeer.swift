import Glibc
import NIOCore

/// The program at the other end of a Unix socket, as the system knows it (`ucred`).
struct SocketPeer {
  /// The process that made the other end.
  private(set) var process: pid_t = 0
  private var user: uid_t = 0
  private var group: gid_t = 0

  /// Reads who made the other end; nil if the system does not know it.
  init?(of descriptor: CInt) {
    var size = socklen_t(MemoryLayout<SocketPeer>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &self, &size) == 0 else { return nil }
  }

  /// Reads who connected to a server.
  static func of(_ channel: any Channel) -> EventLoopFuture<SocketPeer> {
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    return options.unsafeGetSocketOption(level: .socket, name: .init(rawValue: SO_PEERCRED))
  }

  /// True if the peer belongs to this user or to the administrator.
  var isTrusted: Bool { user == geteuid() || user == 0 }
}
