import Files
import Glibc
import NIOCore

/// Decides when the server accepts connections.
///
/// A spare descriptor is kept, so that a client can be refused when the process has no others: a
/// connection that is never accepted would wake the thread again and again.
final class AcceptHandler: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let clients: ClientTable
  private var spare = AcceptHandler.makeSpare()
  /// True after an error of the system.
  private var isPaused = false
  private var resumption: Scheduled<Void>?
  /// True if a connection is to be accepted when there is room for it.
  private var isWaiting = false

  private static let pause = TimeAmount.milliseconds(100)

  init(_ clients: ClientTable) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) {
    clients.onRoom = { [self] in if isPaused { resume(context) } else if isWaiting { read(context: context) }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { clients.onRoom = nil }

  deinit { if let spare { Glibc.close(spare) } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Without a spare descriptor, this connection has the last one of the process.
    spare = spare ?? AcceptHandler.makeSpare()
    clients.lacksFiles = spare == nil
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    isWaiting = !isPaused && !clients.canAccept
    if !isPaused, !isWaiting { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch (error as? IOError)?.errnoCode {
    case EMFILE, ENFILE:
      if let spare {
        // The next connection gets the number of this one, and is refused.
        Glibc.close(spare)
        self.spare = nil
      } else {
        pause(context)
      }
    case ECONNABORTED: break
    default: pause(context)
    }
  }

  private func pause(_ context: ChannelHandlerContext) {
    spare = spare ?? AcceptHandler.makeSpare()
    guard !isPaused else { return }
    isPaused = true
    // A channel that failed to accept still waits for connections, and would try again at once.
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    resumption = context.eventLoop.assumeIsolated().scheduleTask(in: AcceptHandler.pause) {
      self.resume(context)
    }
  }

  private func resume(_ context: ChannelHandlerContext) {
    resumption?.cancel()
    isPaused = false
    try? context.channel.syncOptions?.setOption(.autoRead, value: true)
  }

  private static func makeSpare() -> CInt? { try? Descriptor.open("/dev/null", O_RDONLY).release() }
}
