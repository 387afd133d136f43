import Glibc
package import Logging

/// Writes log entries as lines. Each entry is one line and one write.
package struct LineLog: LogHandler {
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  private let style: LogStyle
  private let output: @Sendable ([UInt8]) -> Void

  /// - Parameters:
  ///   - style: The form of the lines.
  ///   - level: The lowest level that is written.
  ///   - output: Writes one line. By default it goes to standard error, and a failure is ignored,
  ///     because there is no other place to report it.
  package init(
    _ style: LogStyle, level: Logger.Level, output: @escaping @Sendable ([UInt8]) -> Void = LogOutput.write
  ) {
    self.style = style
    logLevel = level
    self.output = output
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var details = metadata
    if let provided = metadataProvider?.get() { details.merge(provided) { $1 } }
    if let own = event.metadata { details.merge(own) { $1 } }
    if let error = event.error { details["error"] = "\(error)" }
    output(
      Array(
        LogLine(level: event.level, message: event.message.description, metadata: details).text(
          style, at: time
        ).utf8))
  }
}

extension Logger {
  /// Makes the log of the daemon, on standard error: for the journal where standard error is the
  /// journal, otherwise with time and zone.
  ///
  /// - Parameters:
  ///   - level: The lowest level that is written.
  ///   - environment: The variable `JOURNAL_STREAM`.
  package static func daemon(level: Logger.Level, environment: [String: String]) -> Logger {
    Logger(label: "notes-watch") { _ in LineLog(LogStyle(environment), level: level) }
  }
}
