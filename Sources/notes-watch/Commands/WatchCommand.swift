import ArgumentParser

/// `watch`, the default: the snapshot, then every change, to a person, to a program or to a script.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the list, then every change to it (the default command).",
    usage: "notes-watch DIR [view] [-o text|jsonl] [-- COMMAND ARGS]",
    discussion: """
      After `--` stands a command that is run for each update, with the update's JSON line on its standard input; then nothing else is printed unless -o is given.

      With --control each line of standard input changes parts of the view, under the keys of .notes-watch.yaml; null takes a part back to the named view's. Every line is answered in \
      order: by one update, by a bookmark where the list stays the same, or by an error, and then nothing changed.

      It ends when the reader of its output goes away (a pipe or a socket that is closed), also while nothing changes. With a COMMAND and without -o only the \
      command writes there, and the watch goes on.

      SIGHUP looks at everything again. SIGUSR1 prints one JSON line of counters on standard error: items, problems, watches, overflows, rescans, audits, their finds, updates, the \
      last latency in milliseconds.

      EXAMPLES
        notes-watch contacts --section group
        notes-watch notes -o jsonl | jq -c 'select(.type == "update") | .changes[]'
        notes-watch notes --where 'published = true' -- ./publish.sh
        echo '{"search":"re"}' | notes-watch colors -o jsonl --control
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, jsonl
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup(title: "View") var view: ViewOptions
  @OptionGroup var colors: ColorOptions
  @OptionGroup(title: "Watching") var watching: WatchSettings

  @Option(name: .shortAndLong, help: "How to print it: text for people, jsonl for programs.")
  var output: Format?

  @Flag(help: "Take changes of the view from standard input, a JSON object a line: {\"search\":\"re\"} (-o jsonl).")
  var control = false

  @Option(parsing: .unconditional, help: ArgumentHelp("Go on after this token of an earlier stream (-o jsonl).", valueName: "token"))
  var since: String?

  @Argument(parsing: .postTerminator, help: ArgumentHelp("A command to run for each update.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    if control, output != .jsonl { throw ValidationError("--control is answered in the stream: it needs -o jsonl.") }
    if since != nil, output != .jsonl { throw ValidationError("--since needs a stream to go on with: -o jsonl.") }
  }
}
