import ArgumentParser

struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the list, then every change to it (the default command).",
    usage: "notes-watch DIR [VIEW] [-o text|jsonl] [-- COMMAND [ARG...]]",
    discussion: """
      A COMMAND after `--` is run once for each update, with the update's JSON line on its standard input. Nothing else \
      is then printed, unless -o is given.

      With --state NAME, the program remembers what was delivered. At the next start, the first update has everything that \
      changed since then. A line of -o counts as delivered when it was written, an update for a COMMAND when its run \
      ended with 0. --once delivers what changed and exits, for cron, CI and timers.

      With --control, each line of standard input is a JSON object that changes parts of the view. Its keys are those of \
      a view in .notes-watch.yaml; null restores the value of the named view. Each line gets one answer, in order: an \
      update, a bookmark if the list stays the same, or an error if the line is not valid. A line {"ack":"TOKEN"} has no \
      answer: it acknowledges everything up to the token, and from the first one on, --state remembers only that.

      With --connect, a running daemon sends the list, and nothing is read here. The daemon has to keep the folder.

      The program ends when its output is closed, also while nothing changes. With a COMMAND and without -o it continues.

      SIGHUP scans the complete folder again, and continues a COMMAND that failed too often. SIGUSR1 prints one JSON line \
      of counters on standard error: items, problems, watches, overflows, rescans, audits, changes that only an audit \
      found (finds), updates, items of the first list that came from the cache or not (hits, misses), and the latency of \
      the last update in milliseconds.

      EXAMPLES
        notes-watch contacts --section group
        notes-watch notes -o jsonl | jq -c 'select(.type == "update") | .changes[]'
        notes-watch notes --where 'published = true' -- ./publish.sh
        notes-watch notes --state site --on-error retry -- ./build.sh
        notes-watch notes --state cron --once --each -- ./upload.sh
        echo '{"search":"re"}' | notes-watch colors -o jsonl --control
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup(title: "View") var view: ViewOptions
  @OptionGroup var colors: ColorOptions
  @OptionGroup var cache: CacheOptions
  @OptionGroup var connect: ConnectOptions
  @OptionGroup(title: "Watching") var watching: WatchSettings

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      """
      The output format: text for people, jsonl for programs. The default is text, or nothing with a \
      COMMAND.
      """,
      valueName: "FORMAT"))
  var output: Format?

  @Flag(help: "Cut no cell of the table, at the width of the terminal or after 200 characters in a pipe.")
  var wide = false

  @Flag(
    help:
      "Read changes of the view from standard input, one JSON object per line: {\"search\":\"re\"}. Needs -o jsonl."
  )
  var control = false

  @OptionGroup(title: "Resuming") var resume: ResumeSettings
  @OptionGroup(title: "Command") var script: ScriptSettings

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("A command to run for each update, with its arguments.", valueName: "COMMAND"))
  var command: [String] = []

  func validate() throws {
    if control, output != .jsonl {
      throw ValidationError("--control needs -o jsonl, because the answers are lines of the stream.")
    }
    if control, resume.once {
      throw ValidationError("--control and --once cannot be combined. Leave one of them out.")
    }
    try script.check(command)
    if connect.isOn { try checkConnected() }
    try resume.check()
  }
}
