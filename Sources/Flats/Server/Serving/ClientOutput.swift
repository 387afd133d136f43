import Sinks
import Streams

/// The output to one client. A write waits until the client has room for it, so nothing is queued.
struct ClientOutput: Sendable {
  /// The connection to the client.
  let connection: Connection
  /// The loop that has the deadline of the client.
  let loop: SocketLoop
  /// The time after which a client that reads nothing is disconnected.
  let timeout: Duration

  /// Writes all bytes.
  ///
  /// - Throws: `ClientGone` if the client can receive nothing any more.
  func write(_ bytes: [UInt8]) async throws(ClientGone) {
    var start = 0
    var isStalled = false
    defer { if isStalled { loop.clearDeadline(of: connection) } }
    while start < bytes.count {
      switch connection.send(bytes, from: start) {
      case .bytes(let count):
        start += count
        if isStalled { loop.clearDeadline(of: connection) }
        isStalled = false
      case .nothing:
        if !isStalled { loop.setDeadline(after: timeout, .stall, of: connection) }
        isStalled = true
        // It may be signalled for other reasons, too. Then there is still no room.
        await connection.wakeup.wait()
      case .gone: throw ClientGone()
      }
    }
  }

  /// Writes all pieces; each is made when there is room for it.
  func write(_ pieces: OutputPieces) async throws(ClientGone) {
    for number in 0..<pieces.count { try await write(pieces[number]) }
  }

  /// Writes a line.
  func write(_ line: ServerLine) async throws(ClientGone) { try await write(line.bytes) }

  /// Writes all pieces as output frames.
  func writeFrames(_ pieces: OutputPieces) async throws(ClientGone) {
    for number in 0..<pieces.count {
      let piece = pieces[number]
      if !piece.isEmpty { try await write(ServerLine.output(bytes: piece.count).bytes + piece) }
    }
  }
}

/// The client can receive nothing any more.
package struct ClientGone: Error {
  package init() {}
}
