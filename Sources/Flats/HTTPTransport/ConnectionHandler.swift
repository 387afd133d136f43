import Glibc
import NIOCore
import NIOHTTP1
import Serve

/// One connection: reads requests one after the other, and writes their answers. It is used on the
/// thread of the server only.
///
/// Bytes are read from the socket only while a request, or its body, is wanted. So a client that
/// sends more waits in its own system.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  enum Deadline {
    /// The head of a request is not complete.
    case head
    /// The client sent too little of a body.
    case body
    /// The client read too little of an answer.
    case stall
    /// The client did not close its side.
    case linger
  }

  let share: ServerShare
  private let number: Int
  /// True for a connection to a Unix socket.
  let isLocal: Bool
  let table: ClientTable
  var context: ChannelHandlerContext?
  private var deadline: Scheduled<Void>?
  /// The input that was parsed and not used yet. It is part of one read.
  var parts = CircularBuffer<HTTPServerRequestPart>()
  /// The request that is being answered; nil while the next one is awaited.
  var exchange: HTTPExchange?
  var request: RequestHead?
  /// True if its body was used completely.
  var isRequestComplete = true
  var bodyRead: BodyRead?
  /// The reason why nothing more can be parsed.
  private(set) var inputProblem: ProblemDocument?
  private(set) var isInputOver = false
  /// The number of bytes that arrived since the last wanted ones. When a client closes its side,
  /// all that it sent arrives at once.
  private var unwantedBytes = 0
  /// True if a part of the next head has arrived.
  private var hasInput = false
  /// True if the connection ends after the current answer.
  var isLast = false
  var isEnding = false
  var framing = ResponseHead.Framing.none
  /// True if the answer lasts until the client is gone.
  var endsWithInput = false
  /// The bytes that the system did not accept yet.
  var output: (bytes: ByteBuffer, then: (Bool) -> Void)?
  var isWriting = false

  init(_ number: Int, _ share: ServerShare, _ table: ClientTable, isLocal: Bool = false) {
    self.isLocal = isLocal
    self.number = number
    self.share = share
    self.table = table
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    setDeadline(.head, after: TimeAmount(share.options.requestTimeout))
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    // A parsed head takes many times as much memory as its bytes.
    if case .head = part, unwantedBytes > ConnectionLimits.maxUnwantedBytes, inputProblem == nil {
      inputProblem = .tooFarAhead
    }
    if !isEnding, inputProblem == nil { parts.append(part) }
  }

  func channelReadComplete(context: ChannelHandlerContext) { advance() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event as? ChannelEvent == .inputClosed else { return }
    isInputOver = true
    exchange?.inputClosed()
    if endsWithInput || isEnding { return close() }
    advance()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The parser has failed before. What it is given now is discarded.
    if error is ByteToMessageDecoderError { return }
    guard let error = error as? HTTPParserError else { return close() }
    if inputProblem == nil, !isEnding { inputProblem = .malformed(error) }
    advance()
  }

  func channelInactive(context: ChannelHandlerContext) {
    isEnding = true
    self.context = nil
    clearDeadline()
    table.remove(number)
    exchange?.end()
    exchange = nil
    parts = []
    finishOutput(false)
    finishBodyRead(.failure(.incompleteBody))
  }

  func bytesArrived(_ bytes: ByteBuffer) {
    let count = bytes.readableBytes
    if isLocal, exchange == nil, !hasInput, bytes.readableBytesView.first == UInt8(ascii: "{") {
      return refuseOldClient()
    }
    unwantedBytes = exchange == nil || bodyRead != nil ? 0 : unwantedBytes + count
    if exchange == nil, !hasInput, !isEnding {
      hasInput = true
      setDeadline(.head, after: TimeAmount(share.options.requestTimeout))
    }
  }

  /// Answers a program of an earlier version, which sends a line of JSON, in a line that it prints.
  private func refuseOldClient() {
    guard !isEnding, let context else { return }
    isEnding = true
    clearDeadline()
    let line =
      "{\"v\":1,\"type\":\"error\",\"code\":\"version\",\"message\":"
      + "\"The daemon and this program have different versions. Restart the daemon after an upgrade.\"}\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line)), promise: nil)
    closeAfterOutput()
  }

  /// Uses what has arrived, as far as it can be used now.
  func advance() {
    if isEnding {
      parts = []
      context?.read()
      return
    }
    if exchange == nil { beginRequest() }
    feedBodyRead()
    if !isEnding, parts.isEmpty, inputProblem == nil, !isInputOver, exchange == nil || bodyRead != nil {
      context?.read()
    }
  }

  private func beginRequest() {
    guard let part = parts.popFirst() else {
      if let inputProblem { return refuse(inputProblem) }
      if isInputOver || isLast { close() }
      return
    }
    guard case .head(let head) = part, let loop = context?.eventLoop else { return }
    clearDeadline()
    hasInput = false
    isRequestComplete = false
    do throws(ProblemDocument) {
      let checked = try RequestHead(head)
      let exchange = HTTPExchange(self, loop, on: share.queue(of: number), hasClosed: isInputOver)
      let request = try ServerRequest(checked.head, body: exchange)
      self.request = checked
      self.exchange = exchange
      Task(executorPreference: exchange.executor) { [responder = share.responder] in
        await exchange.run(request, responder)
      }
    } catch {
      refuse(error)
    }
  }

  /// Ends the connection after the current answer, or at once if there is no answer in progress.
  func stop() {
    isLast = true
    if let exchange { exchange.end() } else { close() }
  }

  /// Closes the connection at once. What the system holds for the client is dropped.
  func abandon() {
    guard let context else { return }
    let reset = linger(l_onoff: 1, l_linger: 0)
    _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(reset)
    close()
  }

  func close() {
    isEnding = true
    context?.close(promise: nil)
  }

  /// Ends the connection so that the client can read everything: what it still sends is discarded.
  func closeAfterOutput() {
    isEnding = true
    parts = []
    guard let context else { return }
    if isInputOver { return close() }
    context.close(mode: .output, promise: nil)
    setDeadline(.linger, after: ConnectionLimits.lingerTimeout)
    context.read()
  }

  func awaitRequest() {
    exchange = nil
    request = nil
    if isLast || !isRequestComplete || inputProblem != nil { return closeAfterOutput() }
    hasInput = false
    setDeadline(.head, after: ConnectionLimits.idleTimeout)
    advance()
  }

  // MARK: Deadlines

  /// Sets the deadline. There is one at a time.
  func setDeadline(_ kind: Deadline, after time: TimeAmount) {
    deadline?.cancel()
    deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { self.expire(kind) }
  }

  func clearDeadline() {
    deadline?.cancel()
    deadline = nil
  }

  private func expire(_ kind: Deadline) {
    switch kind {
    case .head: if hasInput { refuse(.lateRequest(share.options.requestTimeout)) } else { close() }
    case .body:
      isLast = true
      finishBodyRead(.failure(.lateRequest(share.options.requestTimeout)))
    case .stall:
      table.report(
        "A client that read nothing for \(share.options.clientTimeout.components.seconds) s was disconnected."
      )
      abandon()
    case .linger: close()
    }
  }
}

extension TimeAmount {
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
  }
}
