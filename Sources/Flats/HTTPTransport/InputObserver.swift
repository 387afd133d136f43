import NIOCore

/// Reports that bytes arrived, before they are parsed.
final class InputObserver: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: ConnectionHandler

  init(_ connection: ConnectionHandler) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.bytesArrived(unwrapInboundIn(data))
    context.fireChannelRead(data)
  }
}
