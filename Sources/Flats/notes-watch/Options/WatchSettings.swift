import ArgumentParser
import Scripts
import Store

struct WatchSettings: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Wait this long for the rest of an incomplete change. \(TimeSpan.units) The default is \
      \(defaultSettle).
      """,
      valueName: "TIME"))
  var settle: TimeSpan?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Hold a change back at most this long, for example while git runs. \(TimeSpan.units) The default \
      is \(defaultMaxWait).
      """,
      valueName: "TIME"))
  var maxWait: TimeSpan?

  @Flag(
    help:
      "Scan the folder every second instead of waiting for events. This is automatic where the system reports no events."
  )
  var poll = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Compare the list with the files again this long after the last comparison. \(TimeSpan.units) The \
      default is \(defaultAudit).
      """,
      valueName: "TIME"))
  var audit: TimeSpan?

  @Flag(help: "Never audit; rely on events alone.")
  var noAudit = false

  func validate() throws {
    if noAudit, audit != nil {
      throw ValidationError("--audit and --no-audit cannot be combined. Leave one of them out.")
    }
  }

  var auditInterval: Duration? { noAudit ? nil : audit?.duration ?? StoreOptions.defaultAuditInterval }

  private static let defaultAudit = "\(StoreOptions.defaultAuditInterval.components.seconds / 60)m"
  private static let defaultSettle =
    "\(WatchOptions.defaultSettle.components.attoseconds / 1_000_000_000_000_000)ms"
  private static let defaultMaxWait = "\(WatchOptions.defaultMaxWait.components.seconds)s"

  var options: WatchOptions {
    WatchOptions(
      settle: settle?.duration ?? WatchOptions.defaultSettle,
      maxWait: maxWait?.duration ?? WatchOptions.defaultMaxWait,
      polling: poll ? .always : .automatic, onNotice: { StandardError.report("\($0)") })
  }
}

/// The options for the position of the consumer: where it is kept, and from which one it resumes.
struct ResumeSettings: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Remember what was delivered, and resume from there at the next start. NAME has 1 to 64 letters, digits, `.`, `_` or `-`; with "
        + "a `/`, it is the path of a file.",
      valueName: "NAME"))
  var state: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Resume after this token of an earlier run. If that is not possible, the complete list follows.",
      valueName: "TOKEN"))
  var since: String?

  @Flag(
    help:
      "Deliver what changed since the last run, then exit. Needs --state. The first run of a COMMAND only records the list, unless --initial is given."
  )
  var once = false

  func check() throws {
    if once, state == nil {
      throw ValidationError("--once needs --state, which remembers what was delivered: --state NAME.")
    }
  }
}
