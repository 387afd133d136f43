import ArgumentParser
import DirectoryWatch
import PlainStore

/// How changes are watched for.
struct WatchSettings: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to wait for the rest of a change that is not complete yet: \(defaultSettle) by default. \(units)", valueName: "time"))
  var settle: TimeSpan?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long a change is held back at most, for example for a git command: \(defaultMaxWait) by default. \(units)", valueName: "time"))
  var maxWait: TimeSpan?

  @Flag(help: "Look at the folder every second instead of waiting for events; chosen by itself where there are none.")
  var poll = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long after one audit the next begins, which compares the list with the files: \(defaultAudit) by default. \(units)",
      valueName: "time"))
  var audit: TimeSpan?

  @Flag(help: "Never audit: trust the events alone.")
  var noAudit = false

  func validate() throws {
    if noAudit, audit != nil { throw ValidationError("--no-audit leaves nothing for --audit to set.") }
  }

  /// Nil for never.
  var auditInterval: Duration? { noAudit ? nil : audit?.duration ?? StoreOptions.defaultAuditInterval }

  private static let units = "Write 250ms, 2s, 10m, or a number of seconds."
  private static let defaultAudit = "\(StoreOptions.defaultAuditInterval.components.seconds / 60)m"
  private static let defaultSettle = "\(WatchOptions.defaultSettle.components.attoseconds / 1_000_000_000_000_000)ms"
  private static let defaultMaxWait = "\(WatchOptions.defaultMaxWait.components.seconds)s"

  var options: WatchOptions {
    WatchOptions(
      settle: settle?.duration ?? WatchOptions.defaultSettle, maxWait: maxWait?.duration ?? WatchOptions.defaultMaxWait,
      polling: poll ? .always : .automatic, onNotice: { StandardError.write("notes-watch: \($0)") })
  }
}
