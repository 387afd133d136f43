package import Files
package import HTTPTypes
package import Streams
package import Values

package struct ServerResponse {
  /// The status and the header fields. The transport adds `Content-Length` or
  /// `Transfer-Encoding`, and `Date`.
  package var head: HTTPResponse
  package var body: Body

  package enum Body {
    /// Bytes that exist already; their number is the `Content-Length`.
    case bytes([UInt8])
    /// Pieces that are made one by one, each when the client has room for it.
    case pieces(OutputPieces)
    /// A body that a closure writes, until it returns or the client is gone.
    case stream(@Sendable (any BodyWriter) async throws(CancellationError) -> Void)
  }

  package init(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], _ body: Body = .bytes([])) {
    head = HTTPResponse(status: status, headerFields: fields)
    self.body = body
  }

  package init(_ status: HTTPResponse.Status = .ok, type: String, _ bytes: [UInt8]) {
    self.init(status, [.contentType: type], .bytes(bytes))
  }

  package init(json fields: Fields) {
    self.init(type: "application/json", Array("\(JSONWriter.text(of: .map(fields)))\n".utf8))
  }

  /// Returns the response with the header fields that protect browsers, which the transport adds to
  /// every response. Fields of the route stay.
  package func withSafeHeaders() -> ServerResponse {
    var response = self
    for (name, value) in ServerResponse.safeHeaders where response.head.headerFields[name] == nil {
      response.head.headerFields[name] = value
    }
    return response
  }

  private static let safeHeaders: [(HTTPField.Name, String)] = [
    (.contentSecurityPolicy, policy),
    (.xContentTypeOptions, "nosniff"),
    (HTTPField.Name("Referrer-Policy")!, "no-referrer"),  // A constant, and a valid name.
    (.crossOriginResourcePolicy, "same-origin"),
    (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),  // A constant, and a valid name.
    (.cacheControl, "no-store"),
  ]

  /// The rights of a page: only its own scripts, styles, pictures and requests.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "manifest-src 'self'",
    "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].joined(separator: "; ")
}

/// Writes the body of one response. One task uses it.
package protocol BodyWriter: Sendable {
  /// Returns when the client has room for more. Throws if it is gone, or read nothing for too long.
  func write(_ bytes: [UInt8]) async throws(CancellationError)

  /// The queue of the task.
  var executor: QueueExecutor { get }

  /// True if the client can no longer receive anything, or the server stops.
  var isOver: Bool { get }

  /// Signalled when `isOver` becomes true, and whenever others signal it. The task of the body waits on it.
  var wakeup: Wakeup { get }
}

package protocol Responder: Sendable {
  /// Answers a request. It does not throw: a mistake of the client is an answer, too.
  func respond(to request: ServerRequest) async -> ServerResponse
}
