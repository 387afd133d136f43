import ArgumentParser
import CLinux
import Files
import Git
import Glibc
import PlainStore

/// The program. `watch` is its default command.
@main
struct NotesWatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes-watch",
    abstract: "Keep a folder of plain-text items as a live, ordered list, and print exactly what each change did to the list.",
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
      notes-watch service install|uninstall|status
      """,
    discussion: HelpText.examples,
    version: ProgramVersion.text,
    subcommands: [
      WatchCommand.self, ListCommand.self, BrowseCommand.self, CheckCommand.self, GetCommand.self, AddCommand.self, SetCommand.self,
      UnsetCommand.self, RemoveCommand.self, EditCommand.self, DiffCommand.self, LogCommand.self, GitCommand.self, DaemonCommand.self,
      ServeCommand.self, StatusCommand.self, RetryCommand.self, ServiceCommand.self,
    ],
    defaultSubcommand: WatchCommand.self)

  /// The number of files that Dispatch and NIO open for a lasting command. They end a process that
  /// cannot open them.
  private static let minFiles = 10

  /// Replaces the argument parser's own `main`, which would read a mistyped command as a folder and
  /// ignore output errors.
  ///
  /// It runs on the main actor because any other async function begins on the shared pool (see
  /// `QueueExecutor`).
  @MainActor
  static func main() async {
    clinux_tune_allocator()
    StandardStreams.reserve()
    // git starts one process per file, and parsing the arguments takes as long as everything else.
    if let command = GitTextconvCommand(CommandLine.arguments) { return command.runAndExit() }
    if let command = CompletionCommand(CommandLine.arguments) {
      return await withTaskExecutorPreference(QueueExecutor("complete")) { await command.run() }
    }
    Signals.handleAsFirstProcess()
    let arguments = BareOptions.completed(Array(CommandLine.arguments.dropFirst()))
    if let mistake = CommandLineMistake(arguments) {
      end(by: ValidationError(mistake.message), of: mistake.command)
    }
    do {
      try await withTaskExecutorPreference(QueueExecutor("main")) { try await runCommand(arguments) }
    } catch let error as OutputError {
      if error.isClosedPipe { Signals.end(by: SIGPIPE) }
      exit(withError: Failure.report(.cannotWrite, error.description))
    } catch {
      end(by: error, of: NotesWatch.self)
    }
  }
}

extension NotesWatch {
  private static func runCommand(_ arguments: [String]) async throws {
    var command = parsedCommand(arguments)
    let kind = type(of: command)
    let isLasting = command is WatchCommand || command is BrowseCommand || command is ServeCommand || command is DaemonCommand
    if isLasting, !Descriptor.canOpen(minFiles) {
      throw Failure.report(.systemError, "This process can open fewer than \(minFiles) more files. Raise `ulimit -n`.")
    }
    do {
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch let error as ValidationError {
      end(by: error, of: kind)
    }
  }

  private static func parsedCommand(_ arguments: [String]) -> any ParsableCommand {
    do {
      return try parseAsRoot(arguments)
    } catch {
      end(by: error, of: NotesWatch.self)
    }
  }

  /// Returns the words that call a command: `notes-watch git install`.
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

  /// Prints the argument parser's message for an error or for `--help`, and ends the process.
  ///
  /// - Parameter command: the command whose usage is shown if the parser does not know which one
  ///   was called.
  private static func end(by error: any Error, of command: any ParsableCommand.Type) -> Never {
    // The parser knows the full name of a command only if it finds the error itself.
    let text = HelpText.plain(
      command.fullMessage(for: error).replacing(
        "See '\(command.configuration.commandName ?? "") --help'", with: "See '\(name(of: command)) --help'"))
    let label = "Error: "
    if text.hasPrefix(label) {
      StandardError.report("\(text.dropFirst(label.count))")
    } else if text.hasPrefix(HelpText.heading) {
      do { try StandardOutput().write(Array("\(text)\n".utf8)) } catch { command.exit(withError: error) }
    } else {
      command.exit(withError: error)
    }
    command.exit(withError: command.exitCode(for: error))
  }
}
