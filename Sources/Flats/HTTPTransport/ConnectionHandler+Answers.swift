import HTTPTypes
import NIOCore
import Serve

extension ConnectionHandler {
  /// Writes the head of an answer, and the bytes that are known already. `wanted` is how the body ends for a
  /// client of HTTP/1.1. `then` gets true when the client has room for more, false if it is gone.
  func beginResponse(
    _ head: HTTPResponse, _ wanted: ResponseHead.Framing, _ bytes: [UInt8], endsWithInput: Bool = false,
    then: @escaping (Bool) -> Void
  ) {
    guard exchange != nil, !isEnding else { return then(false) }
    dropBody()
    let isCurrent = request?.isCurrent ?? false
    framing = wanted == .chunked && !isCurrent ? .untilClose : wanted
    // A client that closed its side may have sent further requests before.
    let isInputUsed = isInputOver && parts.isEmpty
    isLast =
      isLast || !(request?.keepsAlive ?? false) || !isRequestComplete || isInputUsed || inputProblem != nil
    // On a Unix socket a client that is gone closes both sides.
    self.endsWithInput = endsWithInput && !isLocal
    if self.endsWithInput, isInputOver {
      close()
      return then(false)
    }
    write(ByteBuffer(bytes: ResponseHead.bytes(head, framing, keepsAlive: !isLast) + bytes), then: then)
  }

  func writeBody(_ bytes: [UInt8], then: @escaping (Bool) -> Void) {
    guard framing == .chunked else { return write(ByteBuffer(bytes: bytes), then: then) }
    var buffer = ByteBufferAllocator().buffer(capacity: bytes.count + 16)
    buffer.writeString("\(String(bytes.count, radix: 16))\r\n")
    buffer.writeBytes(bytes)
    buffer.writeString("\r\n")
    write(buffer, then: then)
  }

  /// Writes the end of the answer, and waits for the next request.
  func finishResponse(then: @escaping (Bool) -> Void) {
    write(ByteBuffer(string: framing == .chunked ? "0\r\n\r\n" : "")) { isDone in
      self.endsWithInput = false
      if isDone {
        self.dropBody()
        self.awaitRequest()
      }
      then(isDone)
    }
  }

  /// Answers with a problem, and ends the connection.
  func refuse(_ problem: ProblemDocument) {
    isLast = true
    isEnding = true
    clearDeadline()
    write(ByteBuffer(bytes: ResponseHead.problem(problem))) { isDone in
      if isDone { self.closeAfterOutput() } else { self.close() }
    }
  }

  private func write(_ bytes: ByteBuffer, then: @escaping (Bool) -> Void) {
    guard context != nil, output == nil else { return then(false) }
    output = (bytes, then)
    writeMore()
  }

  /// Passes bytes to the system until it has no room.
  private func writeMore() {
    while let context, let count = output?.bytes.readableBytes, count > 0,
      let slice = output?.bytes.readSlice(length: min(ConnectionLimits.writeSize, count))
    {
      isWriting = true
      var isAccepted = false
      let size = slice.readableBytes
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenComplete { result in
        guard case .success = result else { return self.finishOutput(false) }
        isAccepted = true
        self.share.metrics.sent(size)
        if !self.isWriting {
          self.clearDeadline()
          self.writeMore()
        }
      }
      context.writeAndFlush(wrapOutboundOut(slice), promise: written)
      isWriting = false
      if !isAccepted {
        if output != nil { setDeadline(.stall, after: TimeAmount(share.options.clientTimeout)) }
        return
      }
    }
    finishOutput(context != nil)
  }

  func finishOutput(_ isDone: Bool) {
    guard let waiting = output else { return }
    output = nil
    waiting.then(isDone)
  }
}
