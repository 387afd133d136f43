import Streams

/// Makes events of server-sent events (`text/event-stream`) from lines of a stream.
enum ServerSentEvent {
  /// A comment, which shows the client that the connection is alive.
  static let heartbeat = Array(":\n\n".utf8)

  /// Returns a line as one event. The line contains no line breaks but its last byte.
  ///
  /// - Parameters:
  ///   - line: The line, in pieces.
  ///   - name: The name of the event; nil for the default.
  ///   - id: The position from which a client that reconnects continues; nil to keep the last one.
  static func pieces(of line: OutputPieces, named name: String?, id: String?) -> OutputPieces {
    let fields = (name.map { "event: \($0)\n" } ?? "") + (id.map { "id: \($0)\n" } ?? "")
    return line.between(Array("\(fields)data: ".utf8), and: [UInt8(ascii: "\n")])
  }
}
