import Foundation
import Glibc
import Synchronization

/// A server whose answers a test decides, at a socket in a folder of its own.
package final class ScriptedPeer: Sendable {
  /// The path of the socket.
  package let path: String
  private let folder: TemporaryFolder
  private let socket: CInt

  /// Listens, and serves one client after the other on a thread.
  ///
  /// - Parameter serve: Serves a client. The connection ends when it returns.
  package init(_ serve: @escaping @Sendable (SocketClient) throws -> Void) throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/s"
    let socket = try UnixSocket.open(path) { Glibc.bind($0, $1, $2) }
    self.socket = socket
    listen(socket, 16)
    Thread.detachNewThread {
      while case let client = accept(socket, nil, nil), client >= 0 {
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        let connection = SocketClient(owning: client)
        try? serve(connection)
        connection.close()
      }
      Glibc.close(socket)
    }
  }

  /// Serves each client one answer: the bytes, whatever it asks for.
  package convenience init(answering answer: String) throws {
    try self.init { client in
      _ = try client.nextLine()
      client.send(answer.utf8)
    }
  }

  deinit { shutdown(socket, CInt(SHUT_RDWR)) }

  /// The variables by which a client finds this server.
  package var environment: [String: String] { ["NOTES_WATCH_SOCKET": path] }
}

/// Makes sockets with a path.
enum UnixSocket {
  /// Makes a socket, and connects or binds it to a path.
  static func open(_ path: String, _ call: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) throws -> CInt
  {
    let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(socket, $0, size) }
    }
    guard result == 0 else {
      let reason = String(cString: strerror(errno))
      close(socket)
      throw SocketClient.Failure(description: "\(path): \(reason)")
    }
    return socket
  }
}
