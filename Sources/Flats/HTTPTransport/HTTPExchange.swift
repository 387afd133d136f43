import HTTPTypes
import NIOCore
import Serve
import Sinks
import Streams
import Synchronization

/// One request and its answer, as the task of the request sees them.
///
/// One lock guards how far the client has left, and the size of the body. Nothing else is locked
/// while it is held.
final class HTTPExchange: RequestBody, BodyWriter {
  private struct Presence {
    /// True if the client sends nothing more.
    var hasClosed: Bool
    /// True if the client can receive nothing more, or the server stops.
    var isOver = false
    /// The bytes of the body that count as used.
    var bodySize = 0
  }

  let wakeup = Wakeup()
  private let connection: NIOLoopBound<ConnectionHandler>
  private let loop: any EventLoop
  /// Lock: guards how far the client of one request has left, and the size of its body.
  private let presence: Mutex<Presence>

  /// - Parameter hasClosed: True if the client has closed its side already.
  init(_ connection: ConnectionHandler, _ loop: any EventLoop, hasClosed: Bool) {
    presence = Mutex(Presence(hasClosed: hasClosed))
    self.connection = NIOLoopBound(connection, eventLoop: loop)
    self.loop = loop
  }

  var isOver: Bool { presence.withLock(\.isOver) }

  var isClientGone: Bool { presence.withLock { $0.isOver || $0.hasClosed } }

  /// Records bytes of the body, which are used until the request is answered.
  func addBody(_ count: Int) { presence.withLock { $0.bodySize += count } }

  /// Records that the client closed its side.
  func inputClosed() { presence.withLock { $0.hasClosed = true } }

  /// Records that the client can no longer receive anything, or that the server stops.
  func end() {
    presence.withLock { $0.isOver = true }
    wakeup.signal()
  }

  func read(upTo limit: Int) async throws(ProblemDocument) -> [UInt8] {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<[UInt8], ProblemDocument>, Never>) in
      loop.execute { [connection] in
        connection.value.readBody(upTo: limit) { continuation.resume(returning: $0) }
      }
    }
    return try result.get()
  }

  func write(_ bytes: [UInt8]) async throws(CancellationError) {
    if bytes.isEmpty { return }
    try await onConnection { $0.writeBody(bytes, then: $1) }
  }

  /// Answers the request.
  func run(_ request: ServerRequest, _ responder: any Responder) async {
    let response = await responder.respond(to: request).withSafeHeaders()
    do throws(CancellationError) {
      try await send(response, isHead: request.head.method == .head)
      try await onConnection { $0.finishResponse(then: $1) }
    } catch {
      // The connection is closed already.
    }
    let size = presence.withLock(\.bodySize)
    if size > 0 { loop.execute { [connection] in connection.value.table.releaseBody(size) } }
  }

  private func send(_ response: ServerResponse, isHead: Bool) async throws(CancellationError) {
    let hasBody = !isHead && ![.noContent, .notModified].contains(response.head.status)
    let head = response.head
    switch response.body {
    case .bytes(let bytes):
      let framing: ResponseHead.Framing =
        head.status == .noContent || head.status == .notModified ? .none : .length(bytes.count)
      try await onConnection { $0.beginResponse(head, framing, hasBody ? bytes : [], then: $1) }
    case .pieces(let pieces):
      try await onConnection { $0.beginResponse(head, hasBody ? .chunked : .none, [], then: $1) }
      for number in 0..<(hasBody ? pieces.count : 0) { try await write(pieces[number]) }
    case .stream(let body):
      try await onConnection {
        $0.beginResponse(head, hasBody ? .chunked : .none, [], endsWithInput: true, then: $1)
      }
      if hasBody { try await body(self) }
    }
  }

  /// Runs a step of the answer on the connection's thread, and waits until the client has room.
  private func onConnection(
    _ step: @escaping @Sendable (ConnectionHandler, @escaping (Bool) -> Void) -> Void
  ) async throws(CancellationError) {
    let isDone = await withCheckedContinuation { continuation in
      loop.execute { [connection] in step(connection.value) { continuation.resume(returning: $0) } }
    }
    if !isDone { throw CancellationError() }
  }
}
