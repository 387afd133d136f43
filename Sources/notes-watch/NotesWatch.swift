import ArgumentParser
import GitHistory
import Glibc
import PlainStore

/// The program: `watch` is what it does when no command is named.
@main
struct NotesWatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes-watch",
    abstract: "A folder of plain-text items as a live, ordered, searchable list that says exactly what changed.",
    usage: """
      notes-watch DIR [view] [-o text|jsonl] [-- COMMAND ARGS]
      notes-watch list DIR [view] [-o table|json|jsonl|csv|tsv|id]
      notes-watch check DIR | get DIR ID...
      notes-watch add|set|unset|rm|edit DIR ID... [FIELD=VALUE...]
      notes-watch diff DIR [REV [REV]] [view] | log DIR ID
      notes-watch git install|uninstall|status DIR
      """,
    discussion: Help.examples,
    version: ProgramVersion.text,
    subcommands: [
      WatchCommand.self, ListCommand.self, CheckCommand.self, GetCommand.self, AddCommand.self, SetCommand.self, UnsetCommand.self,
      RemoveCommand.self, EditCommand.self, DiffCommand.self, LogCommand.self, GitCommand.self,
    ],
    defaultSubcommand: WatchCommand.self)

  /// As the argument parser does it, but for a mistyped command, which would be taken for a folder, and for output that nobody can take.
  ///
  /// On the main actor, since any other async function begins on the shared pool (see `QueueExecutor`).
  @MainActor
  static func main() async {
    StandardStreams.reserve()
    // git starts one process per file, and the arguments' parser takes as long as all the rest.
    if let command = GitTextconvCommand(CommandLine.arguments) { return command.runAndExit() }
    Signals.handleAsFirstProcess()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let slip = MistypedCommand(arguments[...])?.description ?? ArgumentCheck.problem(with: arguments) {
      exit(withError: Failure.exit(.usage, slip))
    }
    do {
      try await withTaskExecutorPreference(QueueExecutor("main")) { try await runCommand() }
    } catch let error as OutputError {
      if error.isClosedPipe { Signals.end(by: SIGPIPE) }
      exit(withError: Failure.exit(.cannotWrite, error.description))
    } catch {
      exit(withError: error)
    }
  }
}

extension NotesWatch {
  private static func runCommand() async throws {
    var command = try parseAsRoot()
    if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
  }
}

/// A first word that is neither a command nor a folder and may have been meant for a command.
private struct MistypedCommand {
  let description: String

  init?(_ arguments: ArraySlice<String>) {
    let commands = NotesWatch.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let word = arguments.first, !word.hasPrefix("-"), !word.contains("/"), !commands.contains(word), access(word, F_OK) != 0,
      let command = commands.nearest(to: word)
    else { return nil }
    description = "There is no folder `\(word)` and no such command. Did you mean `notes-watch \(command)`?"
  }
}

enum Help {
  /// No line is longer than 78 columns, so that none is wrapped.
  static let examples = """
    EXAMPLES
      notes-watch contacts                           the list, then its changes
      notes-watch list notes --sort -rating,title    the list once, best first
      notes-watch todos --view today                 a view of .notes-watch.yaml
      notes-watch notes -o jsonl | jq '.changes[]?'  for programs: JSON Lines
      notes-watch notes -- ./publish.sh              run it for each update
      notes-watch set todos mend-fence done=true     change a field, no other byte
      notes-watch list products --where 'releases.@count > 20 AND category = "os"'

    VIEW (of watch and list)
    \(ViewOptions.summary)
    """
}
