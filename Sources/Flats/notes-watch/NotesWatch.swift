import ArgumentParser
import CLinux
import Git
import Glibc
import Scripts
import Store
import Terminal

@main
struct NotesWatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes-watch",
    abstract:
      """
      Keep a folder of plain-text items as a live, ordered list, and print exactly what each change did \
      to the list.
      """,
    usage: """
      notes-watch DIR [VIEW] [-o text|jsonl] [-- COMMAND [ARG...]]
      notes-watch list DIR [VIEW] [-o table|json|jsonl|csv|tsv|id]
      notes-watch browse DIR [VIEW] [--print id|path|json]
      notes-watch serve DIR [VIEW] [--listen ADDRESS:PORT] [--open]
      notes-watch check DIR
      notes-watch get DIR ID...
      notes-watch add|set|unset|rm|edit DIR ID... [FIELD[=VALUE]...]
      notes-watch diff DIR [REV [REV]] [VIEW]
      notes-watch log DIR ID
      notes-watch git install|uninstall|status DIR
      notes-watch daemon [--config FILE] [--check]
      notes-watch status [DIR]
      notes-watch retry DIR SINK
      """,
    discussion: examples,
    version: ProgramVersion.text,
    subcommands: [
      WatchCommand.self, ListCommand.self, BrowseCommand.self, CheckCommand.self, GetCommand.self,
      AddCommand.self, SetCommand.self,
      UnsetCommand.self, RemoveCommand.self, EditCommand.self, DiffCommand.self, LogCommand.self,
      GitCommand.self, DaemonCommand.self,
      ServeCommand.self, StatusCommand.self, RetryCommand.self,
    ],
    defaultSubcommand: WatchCommand.self)

  /// No line is longer than 78 columns, so that the parser wraps none.
  private static let examples = """
    EXAMPLES
      notes-watch contacts                           the list, then its changes
      notes-watch list notes --sort -rating,title    the list once, best first
      notes-watch todos --view today                 a view of .notes-watch.yaml
      notes-watch notes -o jsonl | jq '.changes[]?'  for programs: JSON Lines
      notes-watch notes -- ./publish.sh              run a script for each update
      notes-watch set todos mend-fence done=true     change a field, no other byte
      notes-watch list products --where 'releases.@count > 20 AND category = "os"'

    VIEW (options of watch, list, browse and diff)
      --view NAME             --search TEXT           --fields FIELDS
      --sort FIELDS           --query QUERY           --limit N
      --section FIELD         --search-fields FIELDS  --offset N
      --section-order IDS     --where PREDICATE       --id-field FIELD[,FIELD]
    """

  /// Queue: runs the command, with the loop of the screen or of the daemon, and prints its output, also
  /// beside the command after `--`; `watch` alone reads changes here, too. Blocks in `write`, file calls,
  /// `poll` of the terminal, and `waitpid` for an editor.
  static let queue = QueueExecutor("main")

  /// The files that Dispatch and NIO open for a lasting command; they end a process that cannot open them.
  private static let minFiles = 10

  /// Replaces the argument parser's `main`, which would read a mistyped command as a folder and ignore output
  /// errors. On the main actor, because any other async function begins on the shared pool (see
  /// `QueueExecutor`).
  @MainActor
  static func main() async {
    clinux_tune_allocator()
    reserveStandardStreams()
    // git starts one process per file, and parsing the arguments takes as long as everything else.
    if let command = GitTextconvCommand(CommandLine.arguments) { return command.runAndExit() }
    if let command = CompletionCommand(CommandLine.arguments) { return command.run() }
    Signals.handleAsFirstProcess()
    let arguments = BareOptions.completed(Array(CommandLine.arguments.dropFirst()))
    if let mistake = mistypedCommand(arguments) { end(by: ValidationError(mistake)) }
    do {
      try await withTaskExecutorPreference(queue) { try await runCommand(arguments) }
    } catch {
      if let failure = Failure(error) { failure.end() }
      let isHelp = exitCode(for: error) == .success && !fullMessage(for: error).isEmpty
      let mistake = isHelp ? wordReadAsHelp(arguments) : nil
      end(by: mistake.map { ValidationError($0) } ?? error)
    }
  }

  /// Opens the standard streams that the parent closed, so that no other file gets their numbers
  /// and is read or written instead. Reading or writing such a stream still fails.
  private static func reserveStandardStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static let removedCommands = [
    "service":
      "The installed units run the daemon: `systemctl --user enable --now notes-watch.socket notes-watch.service`."
  ]

  private static let removedOptions = CommandSettings.removed.reduce(
    into: ["--linear": TerminalDevice.withoutScreen]
  ) { $0["--\($1.key)"] = $1.value }

  /// Describes the first removed option in a command line that the parser refused.
  private static func removedOption(in arguments: [String]) -> String? {
    for word in arguments.prefix(while: { $0 != "--" }) {
      let name = String(word.prefix { $0 != "=" })
      if let sentence = removedOptions[name] { return "There is no option `\(name)`. \(sentence)" }
    }
    return nil
  }

  /// Describes a first word that resembles a command or was one; the parser would read it as a folder.
  private static func mistypedCommand(_ arguments: [String]) -> String? {
    let commands = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let word = arguments.first, !word.hasPrefix("-"), !word.contains("/"), !commands.contains(word)
    else { return nil }
    guard access(word, F_OK) != 0 else { return nil }
    let advice =
      removedCommands[word] ?? commands.nearest(to: word).map { "Did you mean `notes-watch \($0)`?" }
    return advice.map { "There is no folder and no command `\(word)`. \($0)" }
  }

  /// Returns true if this process can open so many more files.
  private static func canOpen(_ count: Int) -> Bool {
    var isPossible = true
    // A container may have no /dev/null.
    let files = (0..<count).map { _ in
      let file = Glibc.open("/", O_RDONLY | O_CLOEXEC)
      if file < 0, [EMFILE, ENFILE].contains(errno) { isPossible = false }
      return file
    }
    for file in files where file >= 0 { Glibc.close(file) }
    return isPossible
  }

  private static func runCommand(_ arguments: [String]) async throws {
    var command = parsedCommand(arguments)
    clinux_end_groups_by_signals()
    let kind = type(of: command)
    let isLasting =
      command is WatchCommand || command is BrowseCommand || command is ServeCommand
      || command is DaemonCommand
    if isLasting, !canOpen(minFiles) {
      throw Failure(
        .systemError, "This process can open fewer than \(minFiles) more files. Raise `ulimit -n`.")
    }
    do {
      if let watch = command as? WatchCommand, watch.command.isEmpty, arguments.last == "--" {
        throw ValidationError("There is no COMMAND after `--`. Write one, or leave `--` out.")
      }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      let mistake =
        switch error {
        case let error as ValidationError: error.message
        // A wrong combination of revisions.
        case let error as GitError where error.code == .usage: error.description
        default: throw error
        }
      // The parser knows the full name of a command only if it finds the error itself.
      let help = "See '\(name(of: kind)) --help' for more information."
      let usage = usageString(for: kind).replacing("\n", with: "\n       ")
      StandardError.report("\(mistake)\nUsage: \(usage)\n  \(help)")
      exit(withError: ExitCode.usage)
    }
  }

  private static func parsedCommand(_ arguments: [String]) -> any ParsableCommand {
    do {
      return try parseAsRoot(arguments)
    } catch {
      let mistake = exitCode(for: error) == .success ? nil : removedOption(in: arguments)
      end(by: mistake.map { ValidationError($0) } ?? error)
    }
  }

  /// Describes a word that the parser takes for a request for help because there is an `h` in it, such as the
  /// id `-dash`. Otherwise `rm` would succeed, and remove nothing.
  private static func wordReadAsHelp(_ arguments: [String]) -> String? {
    let requests = ["-h", "-help", "--help", "--help-hidden", "--version", "--experimental-dump-help"]
    let words = arguments.prefix { $0 != "--" }
    let isRequest = words.contains { requests.contains($0) || $0.hasPrefix("--generate-completion-script") }
    guard arguments.first != "help", !isRequest else { return nil }
    let word = words.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
    return word.map {
      "There is no option `\($0)`. If it is an id, write `--` before it: -- \($0.shellWord)"
    }
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    let isOfGit = GitCommand.configuration.subcommands.contains { $0 == command }
    return "notes-watch \(isOfGit ? "git " : "")\(command.configuration.commandName ?? "")"
  }

  /// Prints the argument parser's message for an error or for `--help`, and ends the process.
  private static func end(by error: any Error) -> Never {
    let text = fullMessage(for: error)
    if !text.isEmpty {
      if exitCode(for: error) == .success {
        do { try StandardOutput.write(line: text) } catch { exit(withError: error) }
      } else {
        StandardError.report(text)
      }
    }
    exit(withError: exitCode(for: error))
  }
}

extension ParsableCommand {
  /// `StandardError` begins each message.
  // swift-format-ignore: NoLeadingUnderscores
  static var _errorPrefix: String { "" }
}
