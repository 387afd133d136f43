import Files
import Glibc
package import Serve
import Values

/// A client of the daemon, over HTTP on its socket.
///
/// One thread uses it. It waits in `poll(2)`, so that an idle stream causes no wake-ups.
package struct DaemonClient: ~Copyable {
  private let path: SocketPath
  private var connection: HTTPConnection
  /// The connection of control lines that wait for their answer.
  private var control: HTTPConnection?
  /// The control lines that were not sent yet.
  private var lines: [UInt8] = []
  /// The target of control lines; nil until the stream has begun.
  private var controlTarget: String?
  private var input: Input?
  private let reader: OutputReader?
  /// The terminal whose width the daemon follows.
  private let window: Window?
  private var sentColumns: Int?

  private struct Input {
    let descriptor: CInt
    var last = UInt8(ascii: "\n")
  }

  /// An output, and the events by which `poll(2)` reports that its reader is gone.
  package struct OutputReader: Hashable {
    let descriptor: CInt
    let events: CInt

    package init(descriptor: CInt, events: CInt) {
      self.descriptor = descriptor
      self.events = events
    }
  }

  package struct Window {
    /// An event counter (eventfd(2)) that is readable after a change of the size.
    let changes: CInt
    let columns: @Sendable () -> Int?

    package init(changes: CInt, columns: @escaping @Sendable () -> Int?) {
      self.changes = changes
      self.columns = columns
    }
  }

  package enum StreamPart {
    case data(name: String?, [UInt8])
    /// Nothing more has arrived yet.
    case pause
  }

  /// Connects to the daemon. If systemd listens in its place, this starts the daemon and waits for it.
  /// Without a `reader`, a missing reader of the output is noticed only when something is written.
  package init(connectingTo path: SocketPath, reader: OutputReader? = nil, window: Window? = nil)
    throws(HTTPServerError)
  {
    self.path = path
    connection = try HTTPConnection(to: path)
    self.reader = reader
    self.window = window
    sentColumns = window?.columns()
  }

  /// The body of the answer to a request. `body` is JSON to send; nil to read something. A refusal is an
  /// error.
  package mutating func answer(_ target: String, _ body: [UInt8]? = nil) throws(HTTPServerError) -> [UInt8] {
    connection.begin(target, body)
    return try remainingBody(isRefusal: try status() >= 300)
  }

  private mutating func status() throws(HTTPServerError) -> Int {
    while true {
      while let part = try connection.next() { if case .head(let status) = part { return status } }
      try wait()
    }
  }

  private mutating func remainingBody(isRefusal: Bool) throws(HTTPServerError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      while let part = try connection.next() {
        switch part {
        case .body(let more): bytes += more
        case .end:
          if isRefusal { throw HTTPServerError(refusal: bytes) }
          return bytes
        case .head: break
        }
      }
      try wait()
    }
  }

  /// Follows a stream until the daemon ends it, which is an error, too. `body` is the view as JSON; the bytes
  /// of `input` are control lines.
  package mutating func follow(
    _ folder: String, _ body: [UInt8], controlledBy input: CInt? = nil, _ handle: (StreamPart) throws -> Void
  ) throws {
    connection.begin("/\(folder)/stream", body)
    if try status() >= 300 { _ = try remainingBody(isRefusal: true) }
    var events = EventParser()
    while true {
      while let part = try connection.next() {
        switch part {
        case .body(let bytes):
          try events.parse(bytes) { name, data in
            if name == "stream" {
              controlTarget = "/\(folder)/stream/lines?stream=\(DaemonClient.id(in: data))"
              self.input = input.map { Input(descriptor: $0) }
            } else {
              try handle(.data(name: name, data))
            }
          }
        case .end: throw HTTPServerError.lost
        case .head: break
        }
      }
      try handle(.pause)
      try wait()
    }
  }

  private static func id(in line: [UInt8]) -> String {
    guard case .string(let id)? = (try? PackedValue(reading: line, as: .json).value)?["stream"] else {
      return ""
    }
    return id
  }
}

// MARK: Waiting

extension DaemonClient {
  /// The most bytes of control lines that are sent at once.
  private static let readSize = 1 << 16

  /// Waits until the daemon has sent something. Meanwhile it sends control lines.
  private mutating func wait() throws(HTTPServerError) {
    while true {
      // A negative number is ignored.
      let none = pollfd(fd: -1, events: 0, revents: 0)
      let readsInput = lines.isEmpty && control == nil
      var waits = [
        connection.wait, control?.wait ?? none,
        pollfd(fd: readsInput ? input?.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reader?.descriptor ?? -1, events: 0, revents: 0),
        pollfd(fd: window?.changes ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waits, nfds_t(waits.count), -1) < 0 { continue }
      if let reader, CInt(waits[3].revents) & reader.events != 0 {
        throw HTTPServerError(.readerIsGone, "The output is closed.")
      }
      if waits[2].revents != 0 { readInput() }
      if waits[4].revents != 0 { reportColumns() }
      if waits[1].revents != 0 { try proceedWithControl() }
      sendLines()
      if waits[0].revents != 0 {
        connection.proceed()
        return
      }
    }
  }

  /// Reads control lines. The end of the input ends only the control, and its last line, too.
  private mutating func readInput() {
    guard let descriptor = input?.descriptor else { return }
    var result = 0
    lines = [UInt8](unsafeUninitializedCapacity: DaemonClient.readSize) { buffer, initialized in
      result = retryOnInterrupt { read(descriptor, buffer.baseAddress, buffer.count) }
      initialized = max(result, 0)
    }
    if let last = lines.last {
      input?.last = last
    } else if result == 0 || errno != EAGAIN {
      if input?.last != UInt8(ascii: "\n") { lines = [UInt8(ascii: "\n")] }
      input = nil
    }
  }

  private mutating func reportColumns() {
    guard let window else { return }
    var changes: UInt64 = 0
    _ = retryOnInterrupt { read(window.changes, &changes, MemoryLayout<UInt64>.size) }
    guard let width = window.columns(), width != sentColumns else { return }
    sentColumns = width
    lines += Array("{\"columns\":\(width)}\n".utf8)
  }

  private mutating func sendLines() {
    guard control == nil, !lines.isEmpty, let controlTarget else { return }
    do throws(HTTPServerError) {
      var control = try HTTPConnection(to: path)
      control.begin(controlTarget, lines, isLast: true)
      self.control = consume control
    } catch {
      // The stream ends, too, and says why.
      input = nil
    }
    lines = []
  }

  /// - Throws: `HTTPServerError` if the lines are refused: they would be lost.
  private mutating func proceedWithControl() throws(HTTPServerError) {
    control?.proceed()
    while true {
      let part: HTTPConnection.Part?
      do throws(HTTPServerError) {
        part = try control?.next()
      } catch {
        // The stream ends, too, and says why.
        control = nil
        input = nil
        return
      }
      switch part {
      case .head(let status)? where status >= 300:
        throw HTTPServerError(
          .refused("busy"), "The daemon refused control lines (status \(status)). Start the stream again.")
      case .head?, .body?: break
      case .end?: control = nil
      case nil: return
      }
    }
  }
}

/// Takes server-sent events apart. Each has one line of data.
private struct EventParser {
  private var rest: [UInt8] = []
  private var name: String?

  private static let data = Array("data: ".utf8)
  private static let event = Array("event: ".utf8)

  mutating func parse(_ bytes: [UInt8], _ body: (String?, [UInt8]) throws -> Void) throws {
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest + bytes[start..<end]
      rest = []
      start = end + 1
      if line.starts(with: EventParser.data) {
        try body(name, Array(line.dropFirst(EventParser.data.count)))
      } else if line.starts(with: EventParser.event) {
        name = String(decoding: line.dropFirst(EventParser.event.count), as: UTF8.self)
      } else if line.isEmpty {
        name = nil
      }
    }
    rest += bytes[start...]
  }
}
