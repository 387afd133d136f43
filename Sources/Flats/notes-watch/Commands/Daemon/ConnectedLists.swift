import ArgumentParser
import Daemon
import Git
import Glibc
import HTTPTransport
import Serve
import Printing
import Store

struct ConnectOptions: ParsableArguments {
  @Flag(
    name: .customLong("connect"), help: "Get the list from the running daemon instead of reading the folder.")
  var isOn = false

  /// Refuses options that only work without the daemon; each comes with true if it was given.
  static func check(_ given: [(String, Bool)]) throws {
    guard let name = given.first(where: \.1)?.0 else { return }
    throw ValidationError(
      "\(name) cannot be combined with --connect, because the daemon reads the folder. Set it in the daemon's configuration, or leave "
        + "--connect out.")
  }
}

extension DaemonClient {
  /// Observes `reader` while the daemon sends nothing.
  static func connected(observing reader: OutputReader? = nil, window: Window? = nil)
    throws -> DaemonClient
  {
    let path = try SocketPath(environment: Environment.values(of: SocketPath.variables))
    return try DaemonClient(connectingTo: path, reader: reader, window: window)
  }

  /// Returns the absolute path by which the daemon knows a folder: without links, if it is there.
  static func path(of folder: String) -> String { RootPath(folder).resolvedOrAbsolute }

  /// Asks for the name that the daemon has given to a folder, after the folder was read.
  mutating func name(of folder: FolderOptions, checking view: String?, as name: String? = nil)
    throws(HTTPServerError) -> String
  {
    var parameters = ["path": DaemonClient.path(of: folder.folder)]
    parameters["id-field"] = folder.reading.idField
    parameters["max-size"] = folder.reading.maxSize.map { "\($0.bytes)" }
    parameters["view"] = view
    parameters["name"] = name
    let answer = try answer(DaemonClient.target("/folder", parameters))
    guard case .map(let fields)? = try? PackedValue(reading: answer, as: .json).value,
      case .string(let found)? = fields["name"], fields["version"] == .string(ProgramVersion.text)
    else { throw .badAnswer }
    return found.queryEncoded
  }

  static func target(_ path: String, _ parameters: [String: String]) -> String {
    let pairs = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.queryEncoded)" }
    return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
  }
}

extension WatchCommand {
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

  func runConnected() throws {
    try output == .jsonl ? printStream() : printText()
  }

  private func printStream() throws {
    let request = try view.written(since: resume.since)
    var client = try DaemonClient.connected(observing: StandardOutput.reader)
    let name = try client.name(of: folder, checking: view.viewName)
    let output = StandardOutput()
    var lines: [UInt8] = []
    try client.follow(name, request, controlledBy: control ? STDIN_FILENO : nil) { part in
      switch part {
      case .data(_, let line):
        if let text = WatchCommand.message(line) {
          StandardError.reportLine(text)
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

  private static func message(_ line: [UInt8]) -> String? {
    guard line.starts(with: "{\"v\":1,\"type\":\"message\"".utf8),
      case .string(let text)? = (try? PackedValue(reading: line, as: .json).value)?["text"]
    else { return nil }
    return text
  }

  private func printText() throws {
    let options = TextOptions.standardOutput(colors.color, isWide: wide)
    let form = TextForm(
      name: folder.folder, usesColor: options.usesColor, columns: options.width,
      isTerminal: options.isTerminal, isWide: options.isWide)
    let request = try view.written(text: form)
    let window = form.isTerminal ? StandardOutput.window : nil
    var client = try DaemonClient.connected(observing: StandardOutput.reader, window: window)
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
        throw Failure(.badSettings, quoting: message)
      default: break
      }
    }
  }
}

extension ListCommand {
  /// Prints the list that the daemon has, as if it had been read here.
  func runConnected() throws {
    let list = try connectedList()
    if let snapshot = list.snapshot { try write(snapshot) }
    for message in list.messages { StandardError.reportLine(message) }
    if list.code != 0 { throw ExitCode(Int32(clamping: list.code)) }
  }

  private func connectedList() throws -> PackedList {
    let request = try view.written()
    var client = try DaemonClient.connected(observing: StandardOutput.reader)
    let name = try client.name(of: folder, checking: nil)
    let target = DaemonClient.target("/\(name)/list", ["name": folder.folder])
    guard let list = PackedList(reading: try client.answer(target, request)) else {
      throw HTTPServerError.badAnswer
    }
    return list
  }
}

extension ViewOptions {
  fileprivate func written(since: String? = nil, text: TextForm? = nil) throws -> [UInt8] {
    var view = try definition().written
    view["view"] = viewName.map(Value.string)
    view["since"] = since.map(Value.string)
    view["text"] = text.map { .map($0.written) }
    return Array(JSONWriter.text(of: .map(view)).utf8)
  }
}
