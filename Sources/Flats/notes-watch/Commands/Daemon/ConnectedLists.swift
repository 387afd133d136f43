import ArgumentParser
import Daemon
import Glibc
import PlainStore
import Server
import Sinks

extension WatchCommand {
  /// Checks the options of a watch with `--connect`.
  func checkConnected() throws {
    if !command.isEmpty {
      throw ValidationError(
        "--connect cannot run a COMMAND. Make it a sink in the daemon's configuration, or leave --connect out."
      )
    }
    if resume.state != nil {
      throw ValidationError(
        "--state cannot be combined with --connect. Keep the last token and use --since, or leave --connect out."
      )
    }
    if resume.once {
      throw ValidationError(
        "--once cannot be combined with --connect. `notes-watch list DIR --connect` prints the list once.")
    }
    if resume.since != nil, output != .jsonl {
      throw ValidationError("--since needs -o jsonl with --connect, because only a stream can continue.")
    }
    try ConnectOptions.check([
      ("--settle", watching.settle != nil), ("--max-wait", watching.maxWait != nil),
      ("--poll", watching.poll),
      ("--audit", watching.audit != nil), ("--no-audit", watching.noAudit), ("--no-cache", cache.isOff),
    ])
  }

  /// Prints what the daemon sends, until the daemon or the reader of the output ends.
  func runConnected() throws {
    let list = try view.request(in: folder, since: resume.since)
    if output == .jsonl {
      return try DaemonConnection.send(.stream(list), observing: StandardOutput.reader) { client in
        var output = StandardOutput()
        try client.copyStream(to: &output, controlledBy: control ? STDIN_FILENO : nil) {
          StandardError.report(notes: [$0])
        }
      }
    }
    let form = folder.form(.text, colors.color, once: false)
    try DaemonConnection.print(list, form, window: form.isTerminal ? WindowChanges.window : nil)
  }
}

extension ListCommand {
  /// Prints the list that the daemon has.
  func runConnected() throws {
    let form = folder.form(.list(output), colors.color, once: true)
    try DaemonConnection.print(try view.request(in: folder, since: nil), form, window: nil)
  }
}

extension DaemonConnection {
  /// Prints a list that the daemon renders, with its messages.
  ///
  /// - Throws: The exit code if it is not 0.
  fileprivate static func print(_ list: ViewRequest, _ form: OutputRequest, window: DaemonClient.Window?)
    throws
  {
    let code = try send(.rendered(list, form), observing: StandardOutput.reader, window: window) { client in
      var output = StandardOutput()
      return try client.copyRendered(to: &output) { line in
        switch line {
        case .message(let text), .problem(let text): StandardError.reportLine(text)
        default: break
        }
      }
    }
    if code != 0 { throw ExitCode(code) }
  }
}

extension ViewOptions {
  /// Returns the request for the list that the options describe.
  fileprivate func request(in folder: FolderOptions, since: String?) throws -> ViewRequest {
    ViewRequest(
      folder: DaemonConnection.path(of: folder.folder), name: viewName, own: try definition(), since: since,
      idField: folder.idField,
      maxSize: folder.maxSize?.bytes)
  }
}

extension FolderOptions {
  /// Returns the form of a list on standard output.
  fileprivate func form(_ format: OutputRequest.Format, _ color: ColorChoice, once: Bool) -> OutputRequest {
    let options = TextOptions.standardOutput(color)
    return OutputRequest(
      format, name: folder, usesColor: options.usesColor, columns: options.width,
      isTerminal: options.isTerminal, once: once)
  }
}
