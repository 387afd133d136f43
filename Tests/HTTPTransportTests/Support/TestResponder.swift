import HTTPTransport
import HTTPTypes
import Serve
import Streams
import Synchronization

/// Routes for tests of the transport.
///
/// One lock guards what happened. Nothing else is locked while it is held.
final class TestResponder: Responder {
  /// Signalled when a stream ends.
  let streamEnd = Wakeup()
  /// Signalled when a stream begins.
  let streamStart = Wakeup()
  private let targets = Mutex<[String]>([])

  /// The targets of all requests.
  var seen: [String] { targets.withLock { $0 } }

  func respond(to request: ServerRequest) async -> ServerResponse {
    targets.withLock { $0.append(request.head.path ?? "") }
    do throws(ProblemDocument) {
      switch request.target.path {
      case "/echo": return ServerResponse(type: "text/plain", try await request.body.read(upTo: 1 << 20))
      case "/pieces":
        return ServerResponse(.ok, [:], .pieces(OutputPieces(3) { Array("piece \($0)\n".utf8) }))
      case "/large": return ServerResponse(type: "text/plain", [UInt8](repeating: 0x61, count: 8 << 20))
      case "/presence":
        streamStart.signal()
        while !request.body.isClientGone { await Task.yield() }
        streamEnd.signal()
        return ServerResponse(type: "text/plain", Array("gone".utf8))
      case "/nothing": return ServerResponse(.noContent)
      case "/stream": return stream(of: Array("event\n".utf8))
      case "/flood": return stream(of: [UInt8](repeating: 0x62, count: 1 << 20), repeats: true)
      default:
        return ServerResponse(
          type: "text/plain", Array("\(request.head.method.rawValue) \(request.target.path)".utf8))
      }
    } catch {
      return error.response
    }
  }

  /// A stream that sends something once, or as fast as the client reads it.
  private func stream(of bytes: [UInt8], repeats: Bool = false) -> ServerResponse {
    ServerResponse(
      .ok, [.contentType: "text/event-stream"],
      .stream { writer throws(CancellationError) in
        self.streamStart.signal()
        defer { self.streamEnd.signal() }
        repeat { try await writer.write(bytes) } while repeats && !writer.isOver
        while !writer.isOver { await writer.wakeup.wait() }
        try await writer.write(Array("last\n".utf8))
      })
  }
}

/// A server with `TestResponder` on a free port.
struct RunningServer {
  let server: HTTPServer
  let responder: TestResponder
  let log = ServerLog()

  init(_ change: (inout WebOptions) -> Void = { _ in }) async throws {
    var options = WebOptions()
    change(&options)
    let (responder, log) = (TestResponder(), log)
    self.responder = responder
    server = try await HTTPServer.listen(address: "127.0.0.1", port: 0, options: options) { log.add($0) }
    await server.serve(responder)
  }

  var port: Int { server.port }

  /// Waits until the server has no connection.
  func drained() async {
    while await server.connectionCount > 0 { await Task.yield() }
  }
}

/// The log of a server. One lock guards the messages.
final class ServerLog: Sendable {
  private let entries = Mutex<[String]>([])

  var messages: [String] { entries.withLock { $0 } }

  func add(_ warning: String) { entries.withLock { $0.append(warning) } }
}
