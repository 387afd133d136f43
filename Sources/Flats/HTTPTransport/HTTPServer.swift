import CLinux
import Glibc
import NIOCore
import NIOPosix
package import Serve
import Store
import SystemPackage

/// Serves HTTP/1.1 on a TCP port or on a Unix socket.
///
/// One thread reads and writes the sockets of all servers of the process. Each request has a task on
/// one of a few queues. An answer is written piece by piece, each when the client has room for it,
/// so a client that reads nothing costs one piece.
package final class HTTPServer: Sendable {
  /// The port on which the server listens; 0 for a Unix socket.
  package let port: Int
  private let listener: any Channel
  private let clients: NIOLoopBound<ClientTable>
  private let options: WebOptions

  /// The number of files that the process may have open, beside its clients.
  private static let otherFiles = 1_024
  /// The number of files that clients leave to the folder where the limit is low.
  private static let reservedFiles = 256
  private static let maxRefused = 64
  /// The number of connections that the system holds until they are accepted.
  private static let backlog: CInt = 1_024
  /// The number of connections that the system holds for a Unix socket. Further ones fail at once.
  private static let localBacklog: CInt = 4_096
  /// The time that a server which stops gives its clients to read the rest of an answer.
  private static let stopTimeout = TimeAmount.seconds(2)
  /// The thread of all servers. It lives as long as the process.
  private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private init(port: Int, listener: any Channel, clients: NIOLoopBound<ClientTable>, options: WebOptions) {
    self.port = port
    self.listener = listener
    self.clients = clients
    self.options = options
  }

  /// Listens on a port, 0 for any that is free. Clients that connect wait until `serve` is called. `address`
  /// is an IP address of this machine, such as `127.0.0.1` or `::1`. `log` may be called on any thread.
  package static func listen(
    address: String, port: Int, options: WebOptions = WebOptions(),
    log: @escaping @Sendable (String) -> Void
  ) async throws(HTTPServerError) -> HTTPServer {
    guard let place = try? SocketAddress(ipAddress: address, port: port) else {
      throw HTTPServerError(
        .noAddress, "`\(address)` is not an IP address. Write one such as 127.0.0.1 or [::1].")
    }
    do {
      return try await start(isLocal: false, options: options, log: log) {
        try await $0.bind(to: place).get()
      }
    } catch {
      throw HTTPServerError(error, address: address, port: port)
    }
  }

  /// Listens on a copy of a Unix socket, which is bound and listens already. Clients that connect wait until
  /// `serve` is called. Only programs of this user and of root are served: the system says who connects, so
  /// requests need no token. `log` may be called on any thread.
  package static func listen(
    on socket: CInt, path: String, options: WebOptions = WebOptions(),
    log: @escaping @Sendable (String) -> Void
  ) async throws(HTTPServerError) -> HTTPServer {
    do {
      let copy = try systemCall { fcntl(socket, F_DUPFD_CLOEXEC, 3) }
      let server = try await start(isLocal: true, options: options, log: log) {
        try await $0.withBoundSocket(copy).get()
      }
      // NIO has set a smaller number for the connections that wait.
      try systemCall { Glibc.listen(socket, localBacklog) }
      return server
    } catch {
      throw HTTPServerError(error, path: path)
    }
  }

  private static func start(
    isLocal: Bool, options: WebOptions, log: @escaping @Sendable (String) -> Void,
    _ bind: @Sendable (ServerBootstrap) async throws -> any Channel
  ) async throws -> HTTPServer {
    // Clients must not use up the files that the folder needs.
    let wanted = max(1, options.maxConnections)
    let files = Int(clamping: clinux_raise_file_limit(UInt64(wanted) + UInt64(otherFiles)))
    let limit = max(1, min(wanted, files - min(reservedFiles, files / 2)))
    let maxRefused = max(1, min(HTTPServer.maxRefused, (files - limit) / 4))
    let loop = loops.next()
    let clients = try await loop.submit {
      NIOLoopBound(ClientTable(loop, limit: limit, maxRefused: maxRefused, log: log), eventLoop: loop)
    }.get()
    let listener = try await bind(bootstrap(clients, isLocal: isLocal))
    let port = isLocal ? 0 : listener.localAddress?.port ?? 0
    return HTTPServer(port: port, listener: listener, clients: clients, options: options)
  }

  package func serve(_ responder: any Responder, counting metrics: WebMetrics = WebMetrics()) async {
    let share = ServerShare(responder: responder, options: options, metrics: metrics)
    await onThread { $0.share = share }
    // It fails only for a server that was stopped.
    try? await listener.setOption(.autoRead, value: true).get()
  }

  /// Ends all clients, each after a complete piece of its answer if it reads within two seconds.
  package func stop() async {
    let clients = clients
    let listener = listener
    await withCheckedContinuation { continuation in
      listener.eventLoop.execute {
        listener.close(promise: nil)
        clients.value.stop(within: HTTPServer.stopTimeout) { continuation.resume() }
      }
    }
  }

  package var connectionCount: Int { get async { await onThread(\.count) } }

  package var bodiesSize: Int { get async { await onThread(\.bodiesSize) } }

  private func onThread<Answer: Sendable>(_ body: @escaping @Sendable (ClientTable) -> Answer) async -> Answer
  {
    await withCheckedContinuation { [clients] continuation in
      listener.eventLoop.execute { continuation.resume(returning: body(clients.value)) }
    }
  }

  private static func bootstrap(_ clients: NIOLoopBound<ClientTable>, isLocal: Bool) -> ServerBootstrap {
    let bootstrap = ServerBootstrap(group: loops)
      .serverChannelOption(.autoRead, value: false)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptHandler(clients.value))
        }
      }
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: ConnectionLimits.readSize)
      )
    if isLocal {
      return bootstrap.childChannelInitializer { channel in
        SocketPeer.of(channel).flatMapThrowing { try clients.value.add(channel, from: $0) }
      }
    }
    return
      bootstrap
      .serverChannelOption(.backlog, value: backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(ConnectionLimits.unsentBytes, value: ConnectionLimits.maxUnsentBytes)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try clients.value.add(channel) }
      }
  }
}

extension HTTPServerError {
  fileprivate init(_ error: any Error, address: String, port: Int) {
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

  fileprivate init(_ error: any Error, path: String) {
    let reason = (error as? IOError).map { Errno(rawValue: $0.errnoCode) } ?? error as? Errno
    self.init(.system, "Cannot listen on \(path): \(reason?.reason ?? "\(error)").")
  }
}
