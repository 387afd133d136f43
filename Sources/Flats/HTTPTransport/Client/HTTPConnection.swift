import CLinux
import Files
import Glibc
package import Serve
import SystemPackage
import Values

/// A connection to the daemon: sends requests, and reads their answers. Nothing of it blocks; its
/// user waits in `poll(2)`.
struct HTTPConnection: ~Copyable {
  enum Part {
    case head(Int)
    case body([UInt8])
    case end
  }

  private enum Framing {
    /// The status line and the fields are not complete.
    case head
    /// The rest of the body has this many bytes.
    case length(Int)
    /// The rest of a chunk has this many bytes, and a line break follows.
    case chunk(Int)
    /// The size of a chunk comes next.
    case chunkSize
    /// The body ends with the connection.
    case untilClose
    case complete
  }

  private let socket: Descriptor
  private var unsent: [UInt8] = []
  /// The bytes that were received, from `start` on not consumed yet.
  private var received: [UInt8] = []
  private var start = 0
  private var framing = Framing.complete
  private var hasEnded = false

  private static let readSize = 1 << 16

  /// Connects to a socket, unless another user listens. If systemd listens in place of the daemon, this
  /// starts it.
  init(to path: SocketPath) throws(HTTPServerError) {
    let socket = try HTTPConnection.open(path)
    guard SocketPeer(of: socket.raw)?.isTrusted == true else {
      throw HTTPServerError(
        .notPermitted,
        DisplayText.safe(
          "Another user listens at the socket \(path). Remove it, or set \(SocketPath.variable)."))
    }
    self.socket = socket
  }

  private static func open(_ path: SocketPath) throws(HTTPServerError) -> Descriptor {
    do throws(Errno) {
      let socket = Descriptor(owning: try systemCall { clinux_unix_socket(1) })
      try systemCall { [raw = socket.raw] in clinux_unix_connect(raw, path.description) }
      return socket
    } catch {
      throw HTTPServerError(connecting: path, error)
    }
  }

  var wait: pollfd {
    pollfd(fd: socket.raw, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
  }

  /// Begins a request: a GET without a `body`. If it `isLast`, the connection ends with the answer.
  mutating func begin(_ target: String, _ body: [UInt8]?, isLast: Bool = false) {
    var head = "\(body == nil ? "GET" : "POST") \(target) HTTP/1.1\r\nHost: localhost\r\n"
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
    unsent += Array("\(head)\(isLast ? "Connection: close\r\n" : "")\r\n".utf8) + (body ?? [])
    framing = .head
  }

  mutating func proceed() {
    sendSome()
    readSome()
  }

  private mutating func sendSome() {
    if unsent.isEmpty { return }
    let count = retryOnInterrupt { [socket = socket.raw] in
      unsent.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count) }
    }
    if count > 0 { unsent.removeFirst(count) }
    // If the daemon reads no more, its answer says why.
    if count < 0, errno != EAGAIN { unsent = [] }
  }

  private mutating func readSome() {
    received.removeFirst(start)
    start = 0
    var result = 0
    received += [UInt8](unsafeUninitializedCapacity: HTTPConnection.readSize) {
      [socket = socket.raw] buffer, initialized in
      result = retryOnInterrupt { recv(socket, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT)) }
      initialized = max(result, 0)
    }
    if result == 0 || result < 0 && errno != EAGAIN { hasEnded = true }
  }

  /// The next part of the answer; nil if more bytes are needed. It is an error if the connection ended
  /// before.
  mutating func next() throws(HTTPServerError) -> Part? {
    if let part = try part() { return part }
    guard hasEnded else { return nil }
    if case .untilClose = framing {
      framing = .complete
      return .end
    }
    throw .lost
  }

  private mutating func part() throws(HTTPServerError) -> Part? {
    let rest = received.count - start
    switch framing {
    case .complete: return nil
    case .head: return try head().map(Part.head)
    case .length(0):
      framing = .complete
      return .end
    case .length(let count):
      guard rest > 0 else { return nil }
      let size = min(count, rest)
      framing = .length(count - size)
      return .body(consume(size))
    case .untilClose: return rest > 0 ? .body(consume(rest)) : nil
    case .chunkSize:
      guard let line = line() else { return nil }
      guard let size = Int(line, radix: 16), size >= 0 else { throw .badAnswer }
      framing = .chunk(size)
      return try part()
    case .chunk(0):
      guard let line = line() else { return nil }
      guard line.isEmpty else { throw .badAnswer }
      framing = .complete
      return .end
    case .chunk(let count):
      guard rest > 0 else { return nil }
      let size = min(count, rest)
      // The break after a chunk is consumed with its last byte.
      guard size < count || rest >= count + 2 else {
        guard size > 1 else { return nil }
        framing = .chunk(1)
        return .body(consume(count - 1))
      }
      let bytes = consume(size)
      if size == count {
        start += 2
        framing = .chunkSize
      } else {
        framing = .chunk(count - size)
      }
      return .body(bytes)
    }
  }

  private mutating func consume(_ count: Int) -> [UInt8] {
    defer { start += count }
    return Array(received[start..<start + count])
  }

  /// Returns the next line without its break; nil if it is not complete.
  private mutating func line() -> String? {
    guard let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { start = end + 1 }
    return String(decoding: received[start..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }

  private mutating func head() throws(HTTPServerError) -> Int? {
    let prefix = Array("HTTP/1.".utf8)
    let known = received[start...].prefix(prefix.count)
    // A daemon of an earlier version answers with a line of JSON.
    guard known.elementsEqual(prefix.prefix(known.count)) else { throw .badAnswer }
    let first = start
    guard let status = line() else { return nil }
    var framing = Framing.untilClose
    while let field = line() {
      guard !field.isEmpty else {
        let words = status.split(separator: " ")
        guard words.count > 1, let code = Int(words[1]) else { throw .badAnswer }
        self.framing = code == 204 ? .length(0) : framing
        return code
      }
      let sides = field.split(separator: ":", maxSplits: 1)
      guard sides.count == 2 else { throw .badAnswer }
      switch sides[0].lowercased() {
      case "content-length":
        guard let size = Int(sides[1].drop { $0 == " " }), size >= 0 else { throw .badAnswer }
        framing = .length(size)
      case "transfer-encoding": framing = .chunkSize
      default: break
      }
    }
    start = first
    return nil
  }
}

extension HTTPServerError {
  fileprivate init(connecting path: SocketPath, _ error: Errno) {
    let (code, message): (Code, String) =
      switch error {
      case .noSuchFileOrDirectory, .connectionRefused, .notDirectory:
        (
          .noDaemon,
          "No daemon runs: nothing listens at \(path). Start one with `notes-watch daemon`, or let systemd start it with "
            + "`systemctl --user enable --now notes-watch.socket notes-watch.service`."
        )
      case .permissionDenied, .notPermitted:
        (.notPermitted, "The socket \(path) cannot be opened: \(error.reason).")
      default: (.noDaemon, "The daemon cannot be reached at \(path): \(error.reason).")
      }
    self.init(code, DisplayText.safe(message))
  }

  init(refusal bytes: [UInt8]) {
    guard case .map(let fields)? = try? PackedValue(reading: bytes, as: .json).value,
      case .string(let type)? = fields["type"], case .string(let detail)? = fields["detail"]
    else {
      self = .badAnswer
      return
    }
    let isBusy = fields["status"] == .integer(503)
    let code = type.split(separator: ":").last.map(String.init) ?? ""
    self.init(.refused(type == "about:blank" && isBusy ? "busy" : code), DisplayText.safe(detail))
  }

  static let lost = HTTPServerError(
    .lost, "The daemon ended the connection. To see if it runs again, use: notes-watch status")
  package static let badAnswer = HTTPServerError(
    .badAnswer,
    "The daemon sent an answer that this program does not know. Restart the daemon after an upgrade.")
}
