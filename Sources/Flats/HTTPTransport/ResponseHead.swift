import Glibc
import HTTPTypes
import Serve
import Values

enum ResponseHead {
  /// The mark by which a client finds the end of a body.
  enum Framing: Hashable {
    case none
    case length(Int)
    case chunked
    /// The connection ends with the body.
    case untilClose
  }

  /// The bytes of a head, in which fields of the framing replace those of the route.
  static func bytes(_ head: HTTPResponse, _ framing: Framing, keepsAlive: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"
    for field in head.headerFields where !ownNames.contains(field.name) {
      text += "\(field.name.rawName): \(field.value)\r\n"
    }
    text += "Date: \(date)\r\n"
    switch framing {
    case .none, .untilClose: break
    case .length(let count): text += "Content-Length: \(count)\r\n"
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    }
    if !keepsAlive { text += "Connection: close\r\n" }
    return Array("\(text)\r\n".utf8)
  }

  /// Returns the complete response of a connection that ends with it.
  static func problem(_ problem: ProblemDocument) -> [UInt8] {
    let response = problem.response.withSafeHeaders()
    guard case .bytes(let body) = response.body else { return [] }
    return bytes(response.head, .length(body.count), keepsAlive: false) + body
  }

  private static let ownNames: Set<HTTPField.Name> = [.contentLength, .transferEncoding, .connection, .date]

  // MARK: Dates

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The current time, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    func padded(_ number: CInt) -> String { Timestamp.padded(Int(number), 2) }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
    let day = "\(days[Int(parts.tm_wday)]), \(padded(parts.tm_mday))"
    return "\(day) \(months[Int(parts.tm_mon)]) \(1900 + Int(parts.tm_year)) \(clock) GMT"
  }
}
