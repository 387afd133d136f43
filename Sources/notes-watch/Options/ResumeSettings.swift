import ArgumentParser

/// Where the position of the consumer is kept, and from which position it goes on.
struct ResumeSettings: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Remember what was delivered, and go on from there at the next start. NAME is 1 to 64 letters, digits, `.`, `_` or `-`; "
        + "anything with a `/` is the path of a file.",
      valueName: "NAME|FILE"))
  var state: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Go on after this token of an earlier run. If that is not possible, the complete list follows.", valueName: "TOKEN"))
  var since: String?

  @Flag(
    help:
      "Deliver what changed since the last run, then exit. Needs --state. The first run of a COMMAND only records the list, unless --initial is given."
  )
  var once = false

  func validate() throws {
    if once, state == nil { throw ValidationError("--once needs --state, which remembers what was delivered: --state NAME.") }
  }
}
