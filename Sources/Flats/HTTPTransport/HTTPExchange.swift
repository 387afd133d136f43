import Files
import HTTPTypes
import NIOCore
import Serve
import Streams
import Synchronization

/// One request and its answer, as the task of the request sees them.
final class HTTPExchange: RequestBody, BodyWriter {
  let wakeup = Wakeup()
  let executor: QueueExecutor
  private let connection: NIOLoopBound<ConnectionHandler>
  private let loop: any EventLoop
  private let hasClosed: Atomic<Bool>
  private let hasEnded = Atomic(false)
  /// The bytes of the body that count as used.
  private let bodySize = Atomic(0)

  init(
    _ connection: ConnectionHandler, _ loop: any EventLoop, on executor: QueueExecutor, hasClosed: Bool
  ) {
    self.executor = executor
    self.hasClosed = Atomic(hasClosed)
    self.connection = NIOLoopBound(connection, eventLoop: loop)
    self.loop = loop
  }

  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  var isClientGone: Bool { isOver || hasClosed.load(ordering: .acquiring) }

  /// Records bytes of the body, which are used until the request is answered.
  func addBody(_ count: Int) { bodySize.wrappingAdd(count, ordering: .acquiringAndReleasing) }

  func inputClosed() { hasClosed.store(true, ordering: .releasing) }

  /// Records that the client can no longer receive anything, or that the server stops.
  func end() {
    hasEnded.store(true, ordering: .releasing)
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

  func run(_ request: ServerRequest, _ responder: any Responder) async {
    let response = await responder.respond(to: request).withSafeHeaders()
    do throws(CancellationError) {
      try await send(response, isHead: request.head.method == .head)
      try await onConnection { $0.finishResponse(then: $1) }
    } catch {
      // The connection is closed already.
    }
    let size = bodySize.load(ordering: .acquiring)
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
