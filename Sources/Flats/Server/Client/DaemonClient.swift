import CLinux
import Files
import Glibc
package import Streams
import SystemPackage

/// A connection to the daemon, for one request.
///
/// One thread uses it. It waits in `poll(2)`, so that an idle stream causes no wake-ups.
package struct DaemonClient: ~Copyable {
  private let socket: Descriptor
  /// The bytes that the daemon sent, from `start` on not consumed yet.
  private var received: [UInt8] = []
  private var start = 0
  /// The bytes for the daemon that the socket did not accept yet.
  private var unsent: [UInt8] = []
  /// The source of further lines for the daemon.
  private var input: Input?
  /// The output whose reader may go away.
  private let reader: OutputReader?
  /// The terminal whose width the daemon follows.
  private let window: Window?
  private var sentColumns: Int?

  private struct Input {
    let descriptor: CInt
    /// The last byte that was sent.
    var last = UInt8(ascii: "\n")
  }

  /// An output, and the events by which `poll(2)` reports that its reader is gone.
  package struct OutputReader: Sendable, Hashable {
    package let descriptor: CInt
    package let events: CInt

    /// Names an output.
    package init(descriptor: CInt, events: CInt) {
      self.descriptor = descriptor
      self.events = events
    }
  }

  /// The terminal of a rendered list.
  package struct Window: Sendable {
    /// An event counter (eventfd(2)) that is readable after a change of the size.
    let changes: CInt
    /// Returns the width in columns.
    let columns: @Sendable () -> Int?

    /// Describes a terminal.
    ///
    /// - Parameters:
    ///   - changes: An event counter that is readable after a change of the size.
    ///   - columns: Returns the width in columns.
    package init(changes: CInt, columns: @escaping @Sendable () -> Int?) {
      self.changes = changes
      self.columns = columns
    }
  }

  /// Connects to the daemon and sends a request.
  ///
  /// If systemd listens in place of the daemon, this starts the daemon and waits for it.
  ///
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - request: The request.
  ///   - reader: The output to observe; nil to notice a missing reader only when something is
  ///     written.
  ///   - window: The terminal of a rendered list, whose changes the daemon follows.
  /// - Throws: `DaemonError` if there is no daemon.
  package init(
    connectingTo path: SocketPath, sending request: ClientRequest, reader: OutputReader? = nil,
    window: Window? = nil
  ) throws(DaemonError) {
    socket = try DaemonClient.connect(to: path)
    self.reader = reader
    self.window = window
    sentColumns = window?.columns()
    unsent = request.line
  }

  /// Returns the one line with which the daemon answers.
  ///
  /// - Throws: `DaemonError`, also for a refusal.
  package mutating func answer() throws(DaemonError) -> [UInt8] {
    guard let line = try nextLine() else { throw .lost }
    if case .error(let code, let message)? = ServerLine(reading: line) {
      throw DaemonError(.refused(code), message)
    }
    return line
  }

  /// Copies the lines of a stream to an output, until the daemon ends. The last line is complete.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - input: A descriptor whose bytes are sent to the daemon as control lines; nil for none.
  ///   - onMessage: Called with each sentence for people, which is not part of the stream.
  /// - Throws: `DaemonError`, also at the end of the stream; errors of the output.
  package mutating func copyStream(
    to output: inout some ByteOutput, controlledBy input: CInt? = nil, onMessage: (String) -> Void = { _ in }
  ) throws {
    try output.write(try answer() + [UInt8(ascii: "\n")])
    self.input = input.map { Input(descriptor: $0) }
    var scanned = start
    while true {
      if let end = received[scanned...].lastIndex(of: UInt8(ascii: "\n")) {
        try copyLines(received[start...end], to: &output, onMessage)
        start = end + 1
      }
      compact()
      scanned = received.count
      guard try receive() else { throw DaemonError.lost }
    }
  }

  /// The beginning of a message, which no line of a stream has.
  private static let messageStart = Array("{\"v\":1,\"type\":\"message\"".utf8)

  private func copyLines(
    _ bytes: ArraySlice<UInt8>, to output: inout some ByteOutput, _ onMessage: (String) -> Void
  ) throws {
    var (copied, line) = (bytes.startIndex, bytes.startIndex)
    while let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) {
      if bytes[line...].starts(with: DaemonClient.messageStart),
        case .message(let text)? = ServerLine(reading: Array(bytes[line..<end]))
      {
        if copied < line { try output.write(Array(bytes[copied..<line])) }
        onMessage(text)
        copied = end + 1
      }
      line = end + 1
    }
    if copied < bytes.endIndex { try output.write(Array(bytes[copied...])) }
  }

  /// Copies a rendered list to an output, and passes each message on.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - onMessage: Called with each line that is a message or a problem.
  /// - Returns: The exit code.
  /// - Throws: `DaemonError`; errors of the output.
  package mutating func copyRendered(to output: inout some ByteOutput, onMessage: (ServerLine) -> Void) throws
    -> Int32
  {
    while let line = try nextLine() {
      switch ServerLine(reading: line) {
      case .output(let count)?: try copy(count, to: &output)
      case .message?, .problem?: ServerLine(reading: line).map(onMessage)
      case .end(let code)?:
        guard let code = UInt8(exactly: code) else { throw DaemonError.badAnswer }
        return Int32(code)
      case .error(let code, let message)?: throw DaemonError(.refused(code), message)
      // A line of a later version.
      case .status?, .done?, nil: break
      }
    }
    throw DaemonError.lost
  }

  private mutating func copy(_ count: Int, to output: inout some ByteOutput) throws {
    var rest = count
    while rest > 0 {
      let part = min(rest, received.count - start)
      if part > 0 {
        try output.write(Array(received[start..<start + part]))
        start += part
        rest -= part
      }
      compact()
      if rest > 0, try !receive() { throw DaemonError.lost }
    }
  }
}

// MARK: Bytes

extension DaemonClient {
  /// The most bytes that are read at once.
  private static let readSize = 1 << 16

  /// Returns the next line without its line break; nil if the connection ends before it is complete.
  private mutating func nextLine() throws(DaemonError) -> [UInt8]? {
    var scanned = start
    while true {
      if let end = received[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(received[start..<end])
      }
      compact()
      scanned = received.count
      guard try receive() else { return nil }
    }
  }

  /// Forgets the consumed bytes.
  private mutating func compact() {
    received.removeFirst(start)
    start = 0
  }

  /// Waits for the next bytes of the daemon. Meanwhile it sends what the input has.
  ///
  /// - Returns: False if the daemon has ended the connection.
  private mutating func receive() throws(DaemonError) -> Bool {
    while true {
      var waits = [
        pollfd(fd: socket.raw, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
        // A negative number is ignored.
        pollfd(fd: unsent.isEmpty ? input?.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reader?.descriptor ?? -1, events: 0, revents: 0),
        pollfd(fd: window?.changes ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&waits, nfds_t(waits.count), -1) < 0 { continue }
      if let reader, CInt(waits[2].revents) & reader.events != 0 {
        throw DaemonError(.readerIsGone, "The output is closed.")
      }
      if waits[1].revents != 0 { readInput() }
      if waits[3].revents != 0 { reportColumns() }
      if !unsent.isEmpty { sendSome() }
      if CInt(waits[0].revents) & ~POLLOUT != 0, let isOpen = readSome() { return isOpen }
    }
  }

  /// Reads what the daemon sent.
  ///
  /// - Returns: False at the end of the connection; nil if there is nothing.
  private mutating func readSome() -> Bool? {
    let count = received.count
    var result = 0
    received += [UInt8](unsafeUninitializedCapacity: DaemonClient.readSize) {
      [socket = socket.raw] buffer, initialized in
      result = retryOnInterrupt { recv(socket, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT)) }
      initialized = max(result, 0)
    }
    if received.count > count { return true }
    return result < 0 && errno == EAGAIN ? nil : false
  }

  /// Sends as much as the socket accepts. If the daemon reads no more, its answer says why.
  private mutating func sendSome() {
    let count = retryOnInterrupt { [socket = socket.raw] in
      unsent.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count) }
    }
    if count > 0 {
      unsent.removeFirst(count)
    } else if count < 0, errno != EAGAIN {
      unsent = []
      input = nil
    }
  }

  /// Reads control lines. The end of the input ends only the control, and its last line, too.
  private mutating func readInput() {
    guard let descriptor = input?.descriptor else { return }
    var result = 0
    unsent = [UInt8](unsafeUninitializedCapacity: DaemonClient.readSize) { buffer, initialized in
      result = retryOnInterrupt { read(descriptor, buffer.baseAddress, buffer.count) }
      initialized = max(result, 0)
    }
    if let last = unsent.last {
      input?.last = last
    } else if result == 0 || errno != EAGAIN {
      if input?.last != UInt8(ascii: "\n") { unsent = [UInt8(ascii: "\n")] }
      input = nil
    }
  }

  /// Sends the width of the terminal if it has changed.
  private mutating func reportColumns() {
    guard let window else { return }
    var changes: UInt64 = 0
    _ = retryOnInterrupt { read(window.changes, &changes, MemoryLayout<UInt64>.size) }
    guard let width = window.columns(), width != sentColumns else { return }
    sentColumns = width
    unsent += Array("{\"columns\":\(width)}\n".utf8)
  }
}

// MARK: Connecting

extension DaemonClient {
  private static func connect(to path: SocketPath) throws(DaemonError) -> Descriptor {
    let socket = try open(path)
    guard let peer = SocketPeer(of: socket.raw), peer.isTrusted else {
      throw DaemonError(
        .notPermitted, "Another user listens at the socket \(path). Remove it, or set \(SocketPath.variable)."
      )
    }
    return socket
  }

  private static func open(_ path: SocketPath) throws(DaemonError) -> Descriptor {
    do throws(Errno) {
      let socket = Descriptor(owning: try systemCall { clinux_unix_socket(1) })
      try systemCall { [raw = socket.raw] in clinux_unix_connect(raw, path.description) }
      return socket
    } catch {
      throw DaemonError(connecting: path, error)
    }
  }
}

extension DaemonError {
  fileprivate init(connecting path: SocketPath, _ error: Errno) {
    switch error {
    case .noSuchFileOrDirectory, .connectionRefused, .notDirectory:
      self.init(
        .noDaemon,
        "No daemon runs: nothing listens at \(path). Start one with `notes-watch daemon`, or let systemd start it with "
          + "`systemctl --user enable --now notes-watch.socket notes-watch.service`.")
    case .permissionDenied, .notPermitted:
      self.init(.notPermitted, "The socket \(path) cannot be opened: \(error.reason).")
    default: self.init(.noDaemon, "The daemon cannot be reached at \(path): \(error.reason).")
    }
  }
}
