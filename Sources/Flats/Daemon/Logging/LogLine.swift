import Files
import Glibc
import Logging
import Values

/// The text of one log entry: one line, made safe for a terminal.
struct LogLine {
  /// The longest line in columns, without its time and level. The journal splits lines of 48 KiB.
  private static let maxLength = 8_192

  /// The level of the entry.
  let level: Logger.Level
  /// The sentence.
  let message: String
  /// The details that follow it.
  let metadata: Logger.Metadata

  /// Returns the line with its line break.
  ///
  /// - Parameters:
  ///   - style: The form of the line.
  ///   - time: The time of the entry.
  func text(_ style: LogStyle, at time: timespec) -> String {
    let text = DisplayText.safe(message + details, limit: LogLine.maxLength)
    return switch style {
    case .plain: "\(LogLine.localTime(time)) \(level.rawValue): \(text)\n"
    case .journal: "<\(priority)>\(text)\n"
    }
  }

  /// The metadata, ordered by key.
  private var details: String {
    if metadata.isEmpty { return "" }
    let pairs = metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return " (\(pairs.joined(separator: ", ")))"
  }

  /// The priority of syslog(3).
  private var priority: CInt {
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
    let offset = abs(parts.tm_gmtoff) / 60
    let date =
      "\(digits(Int(parts.tm_year) + 1900, 4))-\(digits(Int(parts.tm_mon) + 1, 2))-\(digits(Int(parts.tm_mday), 2))"
    let clock =
      "\(digits(Int(parts.tm_hour), 2)):\(digits(Int(parts.tm_min), 2)):\(digits(Int(parts.tm_sec), 2))"
    let zone = "\(parts.tm_gmtoff < 0 ? "-" : "+")\(digits(offset / 60, 2)):\(digits(offset % 60, 2))"
    return "\(date)T\(clock).\(digits(time.tv_nsec / 1_000_000, 3))\(zone)"
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
