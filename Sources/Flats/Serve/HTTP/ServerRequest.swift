package import HTTPTypes

/// A request of a client: its head, and its body, which is read only if the route wants it.
package struct ServerRequest {
  package let head: HTTPRequest
  package private(set) var target: RequestTarget
  /// The part of the path before that of `target`: `/NAME` for a server of several folders, or empty.
  package private(set) var prefix = ""
  package let body: any RequestBody
  /// The session of the client, which the guard finds; empty without a guard. What a session opens,
  /// such as a stream, no other session can change.
  package var session = ""

  /// Throws (400) if the target is malformed.
  package init(_ head: HTTPRequest, body: any RequestBody) throws(ProblemDocument) {
    self.head = head
    self.body = body
    target = try RequestTarget(head.path ?? "/")
  }

  /// Returns the request as the server of a folder sees it.
  func inFolder(_ name: String, _ path: String) -> ServerRequest {
    var request = self
    request.target = RequestTarget(path: path, parameters: target.parameters)
    request.prefix = "/\(name.queryEncoded)"
    return request
  }
}

/// The body of a request, and its client. The bytes wait in the socket until they are read.
package protocol RequestBody: Sendable {
  /// Reads the body: 413 if it is larger than `limit` bytes, 408 if it does not arrive in time, 400 if it is
  /// malformed or ends early.
  func read(upTo limit: Int) async throws(ProblemDocument) -> [UInt8]

  /// True if the client closed its side, or the server stops: the answer is likely to reach nobody.
  var isClientGone: Bool { get }
}
