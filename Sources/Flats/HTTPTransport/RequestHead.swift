import HTTPTypes
import NIOHTTP1
import Serve

/// The head of a request, checked.
struct RequestHead {
  let head: HTTPRequest
  let keepsAlive: Bool
  /// True if the client understands HTTP/1.1.
  let isCurrent: Bool
  /// True if the client sends its body only after it was asked to continue.
  let awaitsContinue: Bool

  /// The length of the body that the client announces; nil if it announces none.
  let bodyLength: Int?

  /// Refuses a head that is not valid, or about whose meaning servers could disagree.
  init(_ head: HTTPRequestHead) throws(ProblemDocument) {
    isCurrent = head.version == .http1_1
    var fields = HTTPFields()
    for (name, value) in head.headers {
      guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
        throw ProblemDocument(.badRequest, "The header field `\(name)` has characters that are not allowed.")
      }
      fields.append(HTTPField(name: name, value: value))
    }
    let hosts = head.headers["host"]
    guard hosts.count == 1 || (hosts.isEmpty && !isCurrent) else {
      throw ProblemDocument(.badRequest, "The request has \(hosts.count) Host fields. Send one.")
    }
    try RequestHead.checkFraming(head, isCurrent: isCurrent)
    guard let method = HTTPRequest.Method(head.method.rawValue) else {
      throw ProblemDocument(.badRequest, "The method of the request is not valid.")
    }
    let path = try RequestHead.path(head.uri, host: hosts.first)
    self.head = HTTPRequest(
      method: method, scheme: "http", authority: hosts.first, path: path, headerFields: fields)
    let expectation = head.headers["expect"].joined(separator: ", ").lowercased()
    guard ["", "100-continue"].contains(expectation) else {
      throw ProblemDocument(.expectationFailed, "The server does not know the expectation `\(expectation)`.")
    }
    awaitsContinue = isCurrent && !expectation.isEmpty
    // A number of bytes that the system cannot count is too large for every route.
    bodyLength = head.headers.first(name: "content-length").map { Int($0) ?? .max }
    // After a request for another protocol, the parser reads no more.
    keepsAlive =
      isCurrent && head.isKeepAlive && !head.headers.contains(name: "upgrade") && method != .connect
  }

  private static func checkFraming(_ head: HTTPRequestHead, isCurrent: Bool) throws(ProblemDocument) {
    let lengths = head.headers["content-length"]
    let codings = head.headers["transfer-encoding"]
    if lengths.count > 1 || (!lengths.isEmpty && !codings.isEmpty) {
      throw ProblemDocument(
        .badRequest,
        "The request says more than once how long its body is. Send Content-Length or Transfer-Encoding, once."
      )
    }
    guard let coding = codings.first else { return }
    guard codings.count == 1, coding.lowercased() == "chunked" else {
      let names = codings.joined(separator: ", ")
      throw ProblemDocument(
        .notImplemented, "The server does not know the Transfer-Encoding `\(names)`. Send `chunked`.")
    }
    if !isCurrent {
      throw ProblemDocument(
        .badRequest, "HTTP/1.0 has no Transfer-Encoding. Send HTTP/1.1 or Content-Length.")
    }
  }

  /// Returns the path of a target, which may be an absolute URL with the authority of the Host field.
  private static func path(_ target: String, host: String?) throws(ProblemDocument) -> String {
    if target.utf8.count > ConnectionLimits.targetSize {
      throw ProblemDocument(
        .uriTooLong, "The target is longer than \(ConnectionLimits.targetSize) bytes, the limit.")
    }
    if target.utf8.first == UInt8(ascii: "/") { return target }
    let scheme = "http://"
    guard target.lowercased().hasPrefix(scheme) else {
      throw ProblemDocument(.badRequest, "The target is not a path. Send one that begins with `/`.")
    }
    let rest = target.utf8.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    guard String(rest[..<end]) == host else {
      throw ProblemDocument(.badRequest, "The target has another authority than the Host field.")
    }
    let path = String(rest[end...]) ?? ""
    return path.utf8.first == UInt8(ascii: "/") ? path : "/\(path)"
  }
}
