import HTTPTypes
import NIOCore
import NIOHTTP1
import Serve

extension ConnectionHandler {
  struct BodyRead {
    let limit: Int
    let then: (Result<[UInt8], ProblemDocument>) -> Void
    var bytes: [UInt8] = []
    /// The number of bytes that were there when the deadline was set.
    var progress = 0
  }

  func readBody(upTo limit: Int, then: @escaping (Result<[UInt8], ProblemDocument>) -> Void) {
    guard exchange != nil, !isEnding else { return then(.failure(.incompleteBody)) }
    if isRequestComplete { return then(.success([])) }
    if let length = request?.bodyLength, length > limit { return then(.failure(.tooLarge(limit: limit))) }
    if request?.awaitsContinue == true, parts.isEmpty {
      context?.writeAndFlush(
        wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    }
    bodyRead = BodyRead(limit: limit, then: then)
    setDeadline(.body, after: TimeAmount(share.options.requestTimeout))
    advance()
  }

  func feedBodyRead() {
    guard bodyRead != nil else { return }
    while !isRequestComplete, let part = parts.first {
      switch part {
      case .head: return
      case .end: isRequestComplete = true
      case .body(let buffer):
        guard table.reserveBody(buffer.readableBytes) else { return finishBodyRead(.failure(.tooManyBodies)) }
        exchange?.addBody(buffer.readableBytes)
        bodyRead?.bytes += buffer.readableBytesView
      }
      parts.removeFirst()
    }
    guard let read = bodyRead else { return }
    if read.bytes.count > read.limit {
      finishBodyRead(.failure(.tooLarge(limit: read.limit)))
    } else if isRequestComplete {
      finishBodyRead(.success(read.bytes))
    } else if let inputProblem {
      finishBodyRead(.failure(inputProblem))
    } else if isInputOver {
      finishBodyRead(.failure(.incompleteBody))
    } else if read.bytes.count - read.progress >= ConnectionLimits.bodyProgress {
      bodyRead?.progress = read.bytes.count
      setDeadline(.body, after: TimeAmount(share.options.requestTimeout))
    }
  }

  func finishBodyRead(_ result: Result<[UInt8], ProblemDocument>) {
    guard let read = bodyRead else { return }
    bodyRead = nil
    clearDeadline()
    read.then(result)
  }

  /// Drops the rest of the body as far as it has arrived, since the route did not want it.
  func dropBody() {
    while !isRequestComplete, let part = parts.first {
      if case .head = part { return }
      if case .end = part { isRequestComplete = true }
      parts.removeFirst()
    }
  }
}

extension ProblemDocument {
  static let incompleteBody = ProblemDocument(.badRequest, "The body ends before it is complete.")

  static let tooManyBodies = ProblemDocument.unavailable(
    "Too many large bodies arrive at the same time. Try again.")

  static let tooFarAhead = ProblemDocument(
    .tooManyRequests, "Too many requests are waiting on this connection. Read the answers first.")

  static func lateRequest(_ timeout: Duration) -> ProblemDocument {
    ProblemDocument(.requestTimeout, "The request did not arrive within \(timeout.components.seconds) s.")
  }

  static func malformed(_ error: HTTPParserError) -> ProblemDocument {
    switch error {
    case .headerOverflow:
      ProblemDocument(
        .requestHeaderFieldsTooLarge,
        "The head of the request has more than \(ConnectionLimits.headSize) bytes or \(ConnectionLimits.fieldCount) fields, the limits."
      )
    case .invalidVersion: ProblemDocument(.httpVersionNotSupported, "The server speaks HTTP/1.1.")
    case .invalidMethod: ProblemDocument(.notImplemented, "The server does not know the method.")
    default: ProblemDocument(.badRequest, "The request is not valid HTTP/1.1: \(error).")
    }
  }
}
