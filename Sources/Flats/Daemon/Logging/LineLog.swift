import Files
import Glibc
package import Logging
import SystemPackage
import Values
import Processes

/// Writes log entries as lines, made safe for a terminal. Each entry is one line and one write.
struct LineLog: LogHandler {
  enum Style {
    /// With the time, its zone and the level.
    case plain
    /// With the priority in front, as the journal reads it: it adds the time by itself.
    case journal

    /// `journal` is `JOURNAL_STREAM`, in which systemd names the device and the inode of the stream that it
    /// connected. If output was redirected afterwards, the file is different.
    init(_ journal: String?, of descriptor: CInt) {
      var status = stat()
      let isJournal = fstat(descriptor, &status) == 0 && journal == "\(status.st_dev):\(status.st_ino)"
      self = isJournal ? .journal : .plain
    }
  }

  /// The longest line in columns, without its time and level. The journal splits lines of 48 KiB.
  private static let maxLength = 8_192

  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  private let style: Style
  private let output: @Sendable ([UInt8]) -> Void

  /// Lines go to standard error by default. A failure is ignored: there is no other place to report it.
  init(
    _ style: Style, level: Logger.Level,
    output: @escaping @Sendable ([UInt8]) -> Void = { LineLog.write($0, to: STDERR_FILENO) }
  ) {
    self.style = style
    logLevel = level
    self.output = output
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var details = metadata
    if let own = event.metadata { details.merge(own) { $1 } }
    if let error = event.error { details["error"] = "\(error)" }
    output(Array(LineLog.line(style, event.level, event.message.description, details, at: time).utf8))
  }

  /// Writes a line to a descriptor. A reader that is gone does not end the program.
  static func write(_ line: [UInt8], to descriptor: CInt) {
    try? withoutSIGPIPE { () throws(Errno) in try FileDescriptor(rawValue: descriptor).write(all: line) }
  }

  static func line(
    _ style: Style, _ level: Logger.Level, _ message: String, _ details: Logger.Metadata, at time: timespec
  ) -> String {
    let pairs = details.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    let text = DisplayText.safe(pairs.isEmpty ? message : "\(message) (\(pairs))", limit: maxLength)
    return switch style {
    case .plain: "\(localTime(time)) \(level.rawValue): \(text)\n"
    case .journal: "<\(priority(level))>\(text)\n"
    }
  }

  private static func priority(_ level: Logger.Level) -> CInt {
    switch level {
    case .trace, .debug: LOG_DEBUG
    case .info: LOG_INFO
    case .notice: LOG_NOTICE
    case .warning: LOG_WARNING
    case .error: LOG_ERR
    case .critical: LOG_CRIT
    }
  }

  /// Returns a time as in `2026-11-22T19:06:42.125+01:00`.
  private static func localTime(_ time: timespec) -> String {
    var seconds = time.tv_sec
    var parts = tm()
    localtime_r(&seconds, &parts)
    let east = parts.tm_gmtoff
    let minutes = abs(east) / 60
    let zone =
      "\(east < 0 ? "-" : "+")\(Timestamp.padded(minutes / 60, 2)):\(Timestamp.padded(minutes % 60, 2))"
    let local = Timestamp(seconds: Int64(time.tv_sec + east), nanoseconds: Int32(time.tv_nsec))
    return local.text.dropLast() + zone
  }
}

extension Logger {
  /// Writes to standard error: for the journal where that is the journal, otherwise with time and zone.
  package static func daemon(level: Logger.Level, environment: [String: String]) -> Logger {
    let style = LineLog.Style(environment["JOURNAL_STREAM"], of: STDERR_FILENO)
    return Logger(label: "notes-watch") { _ in LineLog(style, level: level) }
  }
}
