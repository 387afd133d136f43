import Foundation
import HTTPTypes
import Serve
import Store
import Synchronization

@testable import Files
import Streams

/// The client of a stream of server-sent events, in memory.
final class StreamClient: BodyWriter {
  /// One event.
  struct Event: Sendable {
    var name = "message"
    var id: String?
    var data: [UInt8] = []

    var text: String { String(decoding: data, as: UTF8.self) }
    var fields: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(data))) as? [String: Any] ?? [:]
    }
    var type: String { fields["type"] as? String ?? "" }
  }

  private struct State {
    var bytes: [UInt8] = []
    var isOver = false
    /// True if the client reads nothing.
    var isHeld = false
  }

  let wakeup = Wakeup()
  private let received = Wakeup()
  private let released = Wakeup()
  private let state = Mutex(State())
  private static let queue = QueueExecutor("clients of the tests")
  var executor: QueueExecutor { StreamClient.queue }
  private let task = Mutex<Task<Void, Never>?>(nil)

  /// Starts to read a body.
  init(_ response: ServerResponse) throws {
    guard case .stream(let body) = response.body else { throw Answer.IsStream() }
    task.withLock { $0 = Task(executorPreference: StreamClient.queue) { try? await body(self) } }
  }

  func write(_ bytes: [UInt8]) async throws(CancellationError) {
    while state.withLock({ $0.isHeld && !$0.isOver }) { await released.wait() }
    if isOver { throw CancellationError() }
    state.withLock { $0.bytes += bytes }
    received.signal()
  }

  var isOver: Bool { state.withLock(\.isOver) }

  /// Closes the connection, and waits until the server has noticed.
  func close() async {
    state.withLock { $0.isOver = true }
    released.signal()
    wakeup.signal()
    await ended()
  }

  /// Waits until the server has ended the body.
  func ended() async { await task.withLock { $0 }?.value }

  /// Reads nothing from now on.
  func hold() { state.withLock { $0.isHeld = true } }

  /// Reads again.
  func release() {
    state.withLock { $0.isHeld = false }
    released.signal()
  }

  /// Waits for the next event or comment. A comment has no data.
  func next() async -> Event {
    while true {
      if let event = received(upTo: "\n\n") { return event }
      await received.wait()
    }
  }

  /// Waits for the next event of a type, and returns it. Earlier ones are skipped.
  func next(_ type: String, named name: String = "message") async -> Event {
    while true {
      let event = await next()
      if event.type == type, event.name == name { return event }
    }
  }

  /// Removes and returns the next event if it is complete.
  private func received(upTo end: String) -> Event? {
    let text: String? = state.withLock { state in
      let end = Array(end.utf8)
      guard state.bytes.count >= end.count,
        let place = (0...state.bytes.count - end.count).first(where: {
          state.bytes[$0] == end[0] && state.bytes[$0 + 1] == end[1]
        })
      else { return nil }
      defer { state.bytes.removeFirst(place + 2) }
      return String(decoding: state.bytes[..<place], as: UTF8.self)
    }
    return text.map { text in
      var event = Event()
      for line in text.split(separator: "\n") {
        let sides = line.split(separator: ":", maxSplits: 1).map(String.init)
        let value = sides.count > 1 ? String(sides[1].dropFirst()) : ""
        switch sides.first {
        case "event": event.name = value
        case "id": event.id = value
        case "data": event.data = Array(value.utf8)
        default: break
        }
      }
      return event
    }
  }
}

extension ServedFolder {
  /// Opens a stream.
  func open(_ target: String, after position: String? = nil, session: String = "") async throws
    -> StreamClient
  {
    try StreamClient(await response(target, after: position, session: session))
  }

  /// Asks for a stream.
  func response(_ target: String, after position: String? = nil, session: String = "") async throws
    -> ServerResponse
  {
    var fields: HTTPFields = [:]
    if let position, let name = HTTPField.Name("Last-Event-ID") { fields[name] = position }
    let head = HTTPRequest(
      method: .get, scheme: "http", authority: "127.0.0.1:1", path: target, headerFields: fields)
    var request = try ServerRequest(head, body: BytesBody())
    request.session = session
    return await server.respond(to: request)
  }

  /// Opens a stream of several views.
  func open(views: String, after position: String? = nil, session: String = "") async throws -> StreamClient {
    try await open("/stream?views=\(encoded(views))", after: position, session: session)
  }

  /// Changes the views of a stream.
  func change(_ stream: String, _ views: String) async throws -> Answer {
    try await send(
      .post, "/stream/views", [.contentType: "application/json"],
      "{\"stream\":\"\(stream)\",\"views\":\(views)}")
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
