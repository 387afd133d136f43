package import HTTPTypes
package import Streams

/// The answer to a request.
package struct ServerResponse: Sendable {
  /// The status and the header fields. The transport adds `Content-Length` or
  /// `Transfer-Encoding`, and `Date`.
  package var head: HTTPResponse
  /// The body.
  package var body: Body

  /// The body of a response.
  package enum Body: Sendable {
    /// Bytes that exist already; their number is the `Content-Length`.
    case bytes([UInt8])
    /// Pieces that are made one by one, each when the client has room for it.
    case pieces(OutputPieces)
    /// A body that a closure writes, until it returns or the client is gone.
    case stream(@Sendable (any BodyWriter) async throws(CancellationError) -> Void)
  }

  /// - Parameters:
  ///   - status: The status.
  ///   - fields: The header fields.
  ///   - body: The body; empty by default.
  package init(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], _ body: Body = .bytes([])) {
    head = HTTPResponse(status: status, headerFields: fields)
    self.body = body
  }

  package init(_ status: HTTPResponse.Status = .ok, type: String, _ bytes: [UInt8]) {
    self.init(status, [.contentType: type], .bytes(bytes))
  }
}

/// Writes the body of one response. One task uses it.
package protocol BodyWriter: Sendable {
  /// Writes all bytes; returns when the client has room for more.
  ///
  /// - Throws: `CancellationError` if the client can no longer receive anything, or read nothing for
  ///   too long.
  func write(_ bytes: [UInt8]) async throws(CancellationError)

  /// True if the client can no longer receive anything, or the server stops.
  var isOver: Bool { get }

  /// Signalled when `isOver` becomes true, and whenever others signal it. The task of the body waits
  /// on it.
  var wakeup: Wakeup { get }
}

/// Answers requests.
package protocol Responder: Sendable {
  /// Answers a request. It does not throw: a mistake of the client is an answer, too.
  func respond(to request: ServerRequest) async -> ServerResponse
}

/// An entry of the log of a server.
package struct ServerLogEntry: Sendable, Hashable {
  /// True for something that a person should look at.
  package let isWarning: Bool
  /// One sentence.
  package let message: String

  package init(isWarning: Bool, message: String) {
    self.isWarning = isWarning
    self.message = message
  }
}
