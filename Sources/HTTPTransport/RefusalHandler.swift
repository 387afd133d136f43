import NIOCore
import WebServer

/// Answers a new connection with a problem, without reading its request, and closes it.
final class RefusalHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let problem: ProblemDocument
  private let done: () -> Void
  private var closing: Scheduled<Void>?

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - problem: The answer.
  ///   - done: Called when the connection is closed.
  init(_ problem: ProblemDocument, _ done: @escaping () -> Void) {
    self.problem = problem
    self.done = done
  }

  func channelActive(context: ChannelHandlerContext) {
    let answer = ResponseHead.problem(problem)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
    // If unread input remained, the system would report a reset to the client instead of an end.
    context.close(mode: .output, promise: nil)
    closing = context.eventLoop.assumeIsolated().scheduleTask(in: ConnectionLimits.lingerTimeout) { context.close(promise: nil) }
    context.read()
  }

  func channelReadComplete(context: ChannelHandlerContext) { context.read() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    closing?.cancel()
    done()
  }
}
