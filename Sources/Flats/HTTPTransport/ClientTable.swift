import Files
import HTTPTypes
import NIOCore
import NIOHTTP1
import Serve

/// The connections of one server. It is used on the thread of the server only.
final class ClientTable {
  /// Nil until the server is ready.
  var share: ServerShare?
  /// True if the process has no descriptors for the next connection, which is then refused.
  var lacksFiles = false
  private let loop: any EventLoop
  private let limit: Int
  private let log: @Sendable (String) -> Void
  private var clients: [Int: ConnectionHandler] = [:]
  private var accepted = 0
  private var refusals: [ObjectIdentifier: RefusalHandler] = [:]
  /// The bytes of all bodies that arrive or are being used.
  private(set) var bodiesSize = 0
  /// Called when a connection ends, which may make room for another.
  var onRoom: (() -> Void)?
  /// The time from which a refusal is reported again.
  private var nextReport = NIODeadline.uptimeNanoseconds(0)
  private var onEmpty: (() -> Void)?

  /// The number of refused connections that read their answer. Beyond it, new ones wait in the
  /// system until one of these is closed.
  private let maxRefused: Int
  /// The time for which refusals are reported once.
  private static let reportInterval = TimeAmount.minutes(1)

  init(_ loop: any EventLoop, limit: Int, maxRefused: Int, log: @escaping @Sendable (String) -> Void) {
    self.loop = loop
    self.limit = limit
    self.maxRefused = maxRefused
    self.log = log
  }

  var count: Int { clients.count }

  var canAccept: Bool { clients.count < limit || refusals.count < maxRefused }

  /// Adds a connection, or prepares to refuse it. `peer` is nil for TCP.
  func add(_ channel: any Channel, from peer: SocketPeer? = nil) throws {
    guard let share, onEmpty == nil else { throw ChannelError.ioOnClosedChannel }
    guard peer?.isTrusted ?? true else {
      report("A connection of another user was refused.")
      throw ChannelError.ioOnClosedChannel
    }
    if lacksFiles {
      lacksFiles = false
      let reason = "The server has too many open files. Close other clients, or raise its `ulimit -n`."
      return try refuse(channel, reason, linger: ConnectionLimits.shortLingerTimeout)
    }
    guard clients.count < limit else {
      return try refuse(channel, "There are already \(limit) connections, the limit. Try again later.")
    }
    accepted += 1
    let handler = ConnectionHandler(accepted, share, self, isLocal: peer != nil)
    clients[accepted] = handler
    share.metrics.connectionOpened()
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(InputObserver(handler))
    try pipeline.addHandler(
      ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: ConnectionLimits.parser)))
    try pipeline.addHandler(handler)
  }

  /// Counts bytes of a body. Returns false if there would be too many.
  func reserveBody(_ count: Int) -> Bool {
    guard let limit = share?.options.maxBodiesSize, bodiesSize + count <= limit else { return false }
    bodiesSize += count
    return true
  }

  func releaseBody(_ count: Int) { bodiesSize -= count }

  private func refuse(
    _ channel: any Channel, _ reason: String, linger: TimeAmount = ConnectionLimits.lingerTimeout
  ) throws {
    if nextReport <= .now() {
      nextReport = .now() + ClientTable.reportInterval
      report("Further connections are refused: \(reason)")
    }
    let number = ObjectIdentifier(channel)
    let handler = RefusalHandler(.unavailable(reason, code: nil, after: 5), linger: linger) {
      self.refusals[number] = nil
      self.onRoom?()
    }
    try channel.pipeline.syncOperations.addHandler(handler)
    refusals[number] = handler
    // The next client waits for a place.
    if linger == ConnectionLimits.shortLingerTimeout { handler.hurry() }
    if refusals.count >= maxRefused { for refusal in refusals.values { refusal.hurry() } }
  }

  func remove(_ number: Int) {
    if clients.removeValue(forKey: number) != nil { share?.metrics.connectionClosed() }
    if clients.isEmpty { onEmpty?() }
    onRoom?()
  }

  func report(_ message: String) { log(message) }

  /// Ends all connections, in the middle of their answers after `timeout`. Calls `done` when none is left.
  func stop(within timeout: TimeAmount, then done: @escaping () -> Void) {
    guard onEmpty == nil, !clients.isEmpty else { return done() }
    onEmpty = done
    let closing = loop.assumeIsolated().scheduleTask(in: timeout) {
      for client in self.clients.values { client.abandon() }
    }
    onEmpty = {
      closing.cancel()
      done()
    }
    for client in clients.values { client.stop() }
  }
}

/// What all connections of a server share.
struct ServerShare {
  let responder: any Responder
  let options: WebOptions
  /// Counts the bytes that the system takes.
  let metrics: WebMetrics
  // Queue: makes the answers and the lines of streams of some connections, piece by piece, so that
  // the sockets do not wait. Blocks in file calls.
  private let queues = (0..<4).map { _ in QueueExecutor("web clients") }

  func queue(of connection: Int) -> QueueExecutor { queues[connection % queues.count] }
}

/// Reports that bytes arrived, before they are parsed.
private final class InputObserver: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: ConnectionHandler

  init(_ connection: ConnectionHandler) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.bytesArrived(unwrapInboundIn(data))
    context.fireChannelRead(data)
  }
}
