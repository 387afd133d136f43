import ArgumentParser
import Daemon
import Glibc
import HTTPTransport
import Serve
import Printing
import Store

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
    try output == .jsonl ? printStream() : printText()
  }

  private func printStream() throws {
    let request = try view.written(since: resume.since)
    try DaemonConnection.open(observing: StandardOutput.reader) { client in
      let name = try client.name(of: folder, checking: view.viewName)
      let output = StandardOutput()
      var lines: [UInt8] = []
      try client.follow(name, request, controlledBy: control ? STDIN_FILENO : nil) { part in
        switch part {
        case .data(_, let line):
          if let text = ConnectedMessage(line)?.text {
            StandardError.report(notes: [text])
          } else {
            lines += line
            lines.append(UInt8(ascii: "\n"))
          }
        case .pause:
          if !lines.isEmpty { try output.write(lines) }
          lines.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  private func printText() throws {
    let options = TextOptions.standardOutput(colors.color)
    let form = TextForm(
      name: folder.folder, usesColor: options.usesColor, columns: options.width,
      isTerminal: options.isTerminal)
    let request = try view.written(text: form)
    let window = form.isTerminal ? WindowChanges.window : nil
    try DaemonConnection.open(observing: StandardOutput.reader, window: window) { client in
      let name = try client.name(of: folder, checking: view.viewName, as: folder.folder)
      let output = StandardOutput()
      try client.follow(name, request) { part in
        guard case .data(_, let line) = part,
          case .map(let fields)? = try? PackedValue(reading: line, as: .json).value
        else { return }
        switch (fields["type"], fields["text"], fields["message"]) {
        case (.string("output")?, .string(let text)?, _): try output.write(Array(text.utf8))
        case (.string("message")?, .string(let text)?, _): StandardError.reportLine(text)
        case (.string("error")?, _, .string(let message)?):
          throw DaemonError(.refused(RequestError.Code.badView.rawValue), message)
        default: break
        }
      }
    }
  }
}

/// A line of a stream with a sentence for people.
private struct ConnectedMessage {
  let text: String

  /// The beginning of a message, which no other line of a stream has.
  private static let start = Array("{\"v\":1,\"type\":\"message\"".utf8)

  init?(_ line: [UInt8]) {
    guard line.starts(with: ConnectedMessage.start),
      case .string(let text)? = (try? PackedValue(reading: line, as: .json).value)?["text"]
    else { return nil }
    self.text = text
  }
}

extension ListCommand {
  /// Prints the list that the daemon has, as if it had been read here.
  ///
  /// - Throws: The exit code if it is not 0.
  func runConnected() throws {
    let request = try view.written()
    let list = try DaemonConnection.open(observing: StandardOutput.reader) { client throws(DaemonError) in
      let name = try client.name(of: folder, checking: nil)
      let target = DaemonClient.target("/\(name)/list", ["name": folder.folder])
      guard let list = PackedList(reading: try client.answer(target, request)) else { throw .badAnswer }
      return list
    }
    if let snapshot = list.snapshot { try write(snapshot) }
    for message in list.messages { StandardError.reportLine(message) }
    if list.code != 0 { throw ExitCode(Int32(clamping: list.code)) }
  }
}

extension ViewOptions {
  /// Returns the view as JSON, for the daemon.
  fileprivate func written(since: String? = nil, text: TextForm? = nil) throws -> [UInt8] {
    var view = try definition().written
    view["view"] = viewName.map(Value.string)
    view["since"] = since.map(Value.string)
    view["text"] = text.map { .map($0.written) }
    return Array(JSONWriter.text(of: .map(view)).utf8)
  }
}
