import Foundation
import TestSupport

/// A client of the web server that folds its stream, and loses its connection now and then.
final class ServedClient {
  private(set) var views: [ServedView]
  /// True if the views share the stream, so that events have the names of their views.
  private let isMultiplexed: Bool
  private var random: SeededGenerator
  private var connection: EventStream?
  /// The name of the stream, by which views are changed.
  private var stream: String?
  /// The id of the last event.
  private var position: String?
  /// The last events and requests, for a report.
  private(set) var lines: [String] = []

  init(_ views: [ServedView], isMultiplexed: Bool, _ random: SeededGenerator) {
    (self.views, self.isMultiplexed, self.random) = (views, isMultiplexed, random)
  }

  /// Loses the connection.
  func disconnect() {
    connection?.close()
    connection = nil
    stream = nil
  }

  /// Connects, if there is no connection, and continues where the client was.
  func connect(to server: ServeProcess) throws {
    if connection != nil { return }
    // The position is a parameter, or the header field that browsers send.
    let hasParameter = random.oneIn(3)
    for place in views.indices {
      let isNamed = isMultiplexed ? ";\(position ?? "")".contains(";\(views[place].id)=") : position != nil
      views[place].connect(hasPosition: hasParameter ? !views[place].token.isEmpty : isNamed)
    }
    let target = try isMultiplexed ? sharedTarget(hasParameter) : onlyTarget(hasParameter)
    record("\(target) \(hasParameter ? "" : position ?? "")")
    connection = try EventStream(
      port: server.port, target: target, token: server.token, after: hasParameter ? nil : position)
  }

  private func onlyTarget(_ hasParameter: Bool) -> String {
    var parameters = views[0].view.parameters
    if hasParameter, !views[0].token.isEmpty { parameters.append(("from", views[0].token)) }
    return "/stream?" + parameters.map { "\($0)=\(ServedClient.encoded($1))" }.joined(separator: "&")
  }

  private func sharedTarget(_ hasParameter: Bool) throws -> String {
    let wanted = Dictionary(
      uniqueKeysWithValues: views.map { ($0.id, $0.request(since: hasParameter ? $0.token : nil)) })
    return "/stream?views=\(ServedClient.encoded(try ServedClient.json(wanted)))"
  }

  /// Asks for another view in the place of one, or for another window of it.
  func changeView(at place: Int, to view: ListView, on server: ServeProcess) throws {
    guard isMultiplexed, connection != nil, let stream else { return }
    views[place].view = view
    if views[place].window != nil { views[place].window = (random.below(40), 1 + random.below(30)) }
    let wanted: [String: Any] = [
      "stream": stream, "views": [views[place].id: views[place].request(since: nil)],
    ]
    let body = try ServedClient.json(wanted)
    record("POST /stream/views \(body)")
    let client = try WebClient(port: server.port)
    client.send(
      """
      POST /stream/views HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAuthorization: Bearer \(server.token)\r
      Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
      """)
    let answer = try client.answer()
    if answer.status != 204 {
      throw Watcher.Failure(description: "the change of a view answers \(answer.status): \(answer.text)")
    }
  }

  /// Applies the events that are there.
  ///
  /// - Parameter milliseconds: The longest time to wait for the first one.
  func read(within milliseconds: CInt) throws {
    var limit = milliseconds
    while let event = try connection?.next(within: limit) {
      limit = 0
      record("\(event.name) \(event.id ?? ""): \(String(decoding: event.data.prefix(2_000), as: UTF8.self))")
      if isMultiplexed, event.name == "stream" {
        stream = event.fields["stream"] as? String
        continue
      }
      guard let place = views.firstIndex(where: { $0.id == event.name }) else {
        throw Watcher.Failure(description: "an event of no view: \(event.name)")
      }
      try views[place].apply(event)
      position = event.id ?? position
    }
  }

  private func record(_ line: String) { lines = lines.suffix(19) + [line] }

  private static func json(_ object: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
