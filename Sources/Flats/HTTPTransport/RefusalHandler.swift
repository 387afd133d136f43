import NIOCore
import Serve

/// Answers a new connection with a problem, without reading its request, and closes it.
final class RefusalHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let problem: ProblemDocument
  private let linger: TimeAmount
  private let done: () -> Void
  private var closing: Scheduled<Void>?
  private var context: ChannelHandlerContext?
  private var hasInput = false
  /// True if the connection is closed as soon as a request has arrived: others wait for its place.
  private var isHurried = false

  /// `linger` is the time in which the client can read the problem. `done` is called at the end.
  init(_ problem: ProblemDocument, linger: TimeAmount, _ done: @escaping () -> Void) {
    self.problem = problem
    self.linger = linger
    self.done = done
  }

  func hurry() {
    isHurried = true
    if hasInput { context?.close(promise: nil) }
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    let answer = ResponseHead.problem(problem)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
    // If unread input remained, the system would report a reset to the client instead of an end.
    context.close(mode: .output, promise: nil)
    closing = context.eventLoop.assumeIsolated().scheduleTask(in: linger) { context.close(promise: nil) }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { hasInput = true }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isHurried, hasInput { context.close(promise: nil) } else { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) {
    closing?.cancel()
    self.context = nil
    done()
  }
}
