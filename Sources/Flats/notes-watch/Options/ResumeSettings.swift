import ArgumentParser

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
