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
    if let slip = MistypedCommand(arguments[...])?.description ?? MistypedCommand.unknown(arguments[...])
      ?? ArgumentCheck.problem(with: arguments)
    {
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
    var command = parsedCommand()
    let kind = type(of: command)
    do {
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch let error as ValidationError {
      end(by: error, of: kind)
    }
  }

  private static func parsedCommand() -> any ParsableCommand {
    do {
      return try parseAsRoot()
    } catch {
      end(by: error, of: NotesWatch.self)
    }
  }

  /// How a command is called: `notes-watch git install`.
  private static func name(of command: any ParsableCommand.Type) -> String {
    func path(to command: any ParsableCommand.Type, from root: any ParsableCommand.Type) -> [String]? {
      let name = root.configuration.commandName ?? ""
      if root == command { return [name] }
      for child in root.configuration.subcommands {
        if let rest = path(to: command, from: child) { return [name] + rest }
      }
      return nil
    }
    return path(to: command, from: NotesWatch.self)?.joined(separator: " ") ?? ""
  }

  /// Prints what the argument parser says, beginning as all messages do, and ends the process.
  ///
  /// - Parameter command: the command whose usage is shown if the parser does not know better.
  private static func end(by error: any Error, of command: any ParsableCommand.Type) -> Never {
    // The parser knows how a command is called only if it finds the error itself.
    let text = command.fullMessage(for: error).replacing(
      "See '\(command.configuration.commandName ?? "") --help'", with: "See '\(name(of: command)) --help'")
    let label = "Error: "
    guard text.hasPrefix(label) else { command.exit(withError: error) }
    StandardError.write("notes-watch: \(text.dropFirst(label.count))")
    command.exit(withError: command.exitCode(for: error))
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

  /// A sentence about a word that has to be a command and is none: after `help`, and after a command that only holds others.
  static func unknown(_ arguments: ArraySlice<String>) -> String? {
    var command: any ParsableCommand.Type = NotesWatch.self
    let isHelp = arguments.first == "help"
    for word in isHelp ? arguments.dropFirst() : arguments {
      let commands = command.configuration.subcommands
      let path = command == NotesWatch.self ? "" : " \(command.configuration.commandName ?? "")"
      if commands.isEmpty || word.hasPrefix("-") || !path.isEmpty && word == "help" { return nil }
      guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
        // Without `help`, the first word may be a folder.
        if path.isEmpty, !isHelp { return nil }
        let names = commands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
        let nearest = names.nearest(to: word).map { " Did you mean `\($0)`?" } ?? ""
        return "There is no command `notes-watch\(path) \(word)`.\(nearest) Known are \(names.joined(separator: ", "))."
      }
      command = next
    }
    return nil
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
