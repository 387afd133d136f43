import ArgumentParser
import Glibc
import PlainStore
import PlainText
import Sinks

extension WatchCommand {
  func run() async throws {
    try suggestCommand()
    let session = try Session(folder, view, watching: true, watch: watching)
    session.hintAtUnknownFields()
    guard let script = try await script() else { return try await print(session) }
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await script.follow(session.results.subscribe()) }
      if output != nil { group.addTask { try await print(session) } }
      let signal = await Signals.first(of: [SIGINT, SIGTERM, SIGHUP])
      // Cancelled, the script's process group is told to end, and is waited for.
      group.cancelAll()
      try? await group.waitForAll()
      Signals.end(by: signal)
    }
  }

  /// Nil where no command was given.
  private func script() async throws -> ScriptSink? {
    if command.isEmpty { return nil }
    let script = ScriptSink(command, output: output == nil ? .standardOutput : .standardError, clock: Clock.now) {
      StandardError.write("notes-watch: \($0)")
    }
    if let missing = await script.missingProgram() { throw Failure.exit(.usage, missing) }
    return script
  }

  private func print(_ session: Session) async throws {
    switch output ?? .text {
    case .text:
      var sink = TextSink(root: folder.folder, options: .standardOutput(colors.color), output: StandardOutput(), clock: Clock.local)
      for await event in session.results.events {
        // The window may have another size by now.
        sink.options = .standardOutput(colors.color)
        try sink.receive(event)
        session.hintAtPredicate()
      }
    case .jsonl:
      var sink = JSONLinesSink(StandardOutput(), clock: Clock.now)
      try sink.begin(root: folder.folder, view: session.view.written)
      if let since { try sink.report(code: "gone", message: "The token \(since) cannot be gone on from; the whole list follows.") }
      for await event in session.results.events {
        try sink.receive(event)
        session.hintAtPredicate()
      }
    }
  }

  /// A first word that is no folder may have been meant for a command.
  private func suggestCommand() throws {
    let word = folder.folder
    let commands = NotesWatch.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !word.contains("/"), access(word, F_OK) != 0, let command = commands.nearest(to: word) else { return }
    throw Failure.exit(.usage, "There is no folder `\(word)` and no such command. Did you mean `notes-watch \(command)`?")
  }
}
