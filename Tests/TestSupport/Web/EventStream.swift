import Foundation

/// A stream of server-sent events over a connection of its own.
package final class EventStream {
  /// One event.
  package struct Event {
    /// The name; `message` if the event has none.
    package fileprivate(set) var name = "message"
    /// The position of the client after the event; nil if it has none.
    package fileprivate(set) var id: String?
    package fileprivate(set) var data: [UInt8] = []
    package fileprivate(set) var fields: [String: Any] = [:]

    /// The type of the line.
    package var type: String { fields["type"] as? String ?? "" }
  }

  /// The longest time to wait for an event that must come.
  private static let patience = CInt(40_000 * Patience.factor)

  private let client: WebClient
  /// The bytes of events that are not complete.
  private var bytes: [UInt8] = []
  /// The number of comments that were read.
  package private(set) var comments = 0

  /// Asks for a stream, and reads the head of the answer.
  ///
  /// - Parameters:
  ///   - target: The path and the query.
  ///   - token: The token of programs.
  ///   - position: The `id` of the last event that the client knows; nil for none.
  package init(port: Int, target: String, token: String, after position: String? = nil) throws {
    client = try WebClient(port: port)
    let last = position.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    client.send(
      "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n\(last)\r\n")
    let answer = try client.answer(hasBody: false)
    guard answer.status == 200, answer["transfer-encoding"] == "chunked" else {
      throw WebClient.Failure(description: "\(target) answers \(answer.status): \(answer.fields)")
    }
  }

  /// Closes the connection.
  package func close() { client.close() }

  /// Reads the next event; nil if none is complete in time.
  ///
  /// - Parameter milliseconds: The longest time to wait for more bytes.
  package func next(within milliseconds: CInt) throws -> Event? {
    while true {
      while let event = removeFirst() {
        if !event.data.isEmpty { return event }
        comments += 1
      }
      guard try client.hasInput(within: milliseconds) else { return nil }
      guard let chunk = try client.chunk() else { throw WebClient.Failure(description: "the stream ended") }
      bytes += chunk
    }
  }

  /// Waits for the next event that has a type. Other events are skipped.
  package func next(_ type: String) throws -> Event {
    while let event = try next(within: EventStream.patience) {
      if event.type == type { return event }
    }
    throw WebClient.Failure(description: "there is no event of the type \(type)")
  }

  /// Removes and returns the first event if it is complete. A comment has no data.
  private func removeFirst() -> Event? {
    let separator = Array("\n\n".utf8)
    guard let end = bytes.firstRange(of: separator) else { return nil }
    defer { bytes.removeSubrange(..<end.upperBound) }
    var event = Event()
    for line in bytes[..<end.lowerBound].split(separator: UInt8(ascii: "\n")) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
      switch String(decoding: line[..<colon], as: UTF8.self) {
      case "event": event.name = String(decoding: value, as: UTF8.self)
      case "id": event.id = String(decoding: value, as: UTF8.self)
      case "data": event.data = Array(value)
      default: break
      }
    }
    event.fields = (try? JSONSerialization.jsonObject(with: Data(event.data))) as? [String: Any] ?? [:]
    return event
  }
}
