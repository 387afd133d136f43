import Files
import Glibc

/// The open terminal: reading and writing without waiting, and the size of its window.
final class TerminalLine {
  private let descriptor: Descriptor
  /// Bytes to write; those before `start` are written.
  private var output: [UInt8] = []
  private var start = 0

  /// Adopts a descriptor that does not block.
  init(_ descriptor: consuming Descriptor) {
    self.descriptor = descriptor
  }

  var raw: CInt { descriptor.raw }

  /// Reads what has arrived, 64 KB at most. Returns nil if the terminal is gone.
  func read() -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 16 {
      let count = retryOnInterrupt { Glibc.read(raw, &buffer, buffer.count) }
      if count < 0, errno == EAGAIN { break }
      // A terminal that is gone gives the end of the file or an error.
      if count <= 0 { return bytes.isEmpty ? nil : bytes }
      bytes += buffer[..<count]
      if count < buffer.count { break }
    }
    return bytes
  }

  var isWritten: Bool { start == output.count }

  func append(_ bytes: [UInt8]) {
    if isWritten { discardOutput() }
    output += bytes
  }

  func discardOutput() {
    output.removeAll(keepingCapacity: true)
    start = 0
  }

  /// Writes what the terminal accepts now. Returns false if the terminal is gone.
  func write() -> Bool {
    while !isWritten {
      let count = retryOnInterrupt {
        output.withUnsafeBytes { Glibc.write(raw, $0.baseAddress.map { $0 + start }, $0.count - start) }
      }
      if count < 0 { return errno == EAGAIN }
      start += count
    }
    discardOutput()
    return true
  }

  /// The size of the window: as the terminal says, or else as the environment does, or 80 × 24.
  var windowSize: ScreenSize {
    var window = winsize()
    let isKnown = ioctl(raw, UInt(TIOCGWINSZ), &window) == 0
    let columns = isKnown && window.ws_col > 0 ? Int(window.ws_col) : TerminalLine.variable("COLUMNS") ?? 80
    let rows = isKnown && window.ws_row > 0 ? Int(window.ws_row) : TerminalLine.variable("LINES") ?? 24
    return ScreenSize(columns: min(columns, 2000), rows: min(rows, 1000))
  }

  private static func variable(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { (1...2000).contains($0) ? $0 : nil }
  }

  /// Waits for at most `timeout` for input or, if `writes`, for room to write.
  func wait(_ timeout: Duration, writes: Bool = false) {
    var request = pollfd(fd: raw, events: Int16(POLLIN | (writes ? POLLOUT : 0)), revents: 0)
    poll(&request, 1, timeout.milliseconds)
  }
}

extension Duration {
  /// The milliseconds for `poll(2)`, rounded up; at least 0.
  var milliseconds: CInt {
    let (seconds, attoseconds) = components
    if seconds >= 1_000_000 { return 1_000_000_000 }
    if seconds < 0 || attoseconds < 0 { return 0 }
    return CInt(seconds) * 1000 + CInt((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
