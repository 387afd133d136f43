import Files
import Glibc
import PlainStore
import Sinks
import Streams
import Values

/// A client that gets a list as text, in frames: what `list` or `watch -o text` prints.
struct RenderedSession {
  private let client: ClientSession
  private let list: RequestedList
  private var form: OutputRequest
  private let name: FolderName

  /// Makes the session of a client.
  ///
  /// - Parameters:
  ///   - list: The list that the client asked for.
  ///   - form: The form in which it wants the list.
  init(_ client: ClientSession, _ list: RequestedList, _ form: OutputRequest) {
    self.client = client
    self.list = list
    self.form = form
    name = FolderName(form.name ?? list.request.folder)
  }

  /// Sends the list, and its changes unless the form is for once.
  ///
  /// - Throws: `RequestError` if the view is not valid.
  mutating func run() async throws(RequestError) {
    if form.once {
      let state = await list.folder.store.freshState()
      let snapshot = try snapshot(of: state)
      if let string = snapshot.unquotedStrings.first, list.request.own.predicate != nil {
        try? await refuse(string)
      } else {
        try? await send(snapshot, state)
      }
    } else {
      let results: FetchedResults
      do throws(SettingsError) {
        results = try list.folder.store.results(list.fetchRequest)
      } catch {
        throw list.refusal(error, named: form.name)
      }
      try? await follow(results)
    }
  }

  private var output: ClientOutput { client.output }

  /// The properties of the client's terminal.
  private var options: TextOptions {
    TextOptions(width: form.columns, usesColor: form.usesColor, isTerminal: form.isTerminal)
  }

  // MARK: Once

  private func snapshot(of state: StoreState) throws(RequestError) -> ResultsSnapshot {
    // A new `list` would not open a folder with these problems.
    if let problem = state.folderProblem { throw RequestError(.missing, problem.message) }
    if let problem = unreadableSettings(state) { throw RequestError(.badView, name.description(of: problem)) }
    do throws(SettingsError) {
      return ResultsSnapshot(of: state, request: try list.fetchRequest(state.settings))
    } catch {
      throw list.refusal(error, named: form.name)
    }
  }

  /// The problem of settings that cannot be read at all; nil if at most single views are wrong.
  private func unreadableSettings(_ state: StoreState) -> Problem? {
    guard let problem = state.problem(at: PathRules.settingsPath) else { return nil }
    return problem.settingsError?.isInView == true ? nil : problem
  }

  private func send(_ snapshot: ResultsSnapshot, _ state: StoreState) async throws(ClientGone) {
    try await output.writeFrames(pieces(of: snapshot))
    if form.format != .text {
      for problem in snapshot.problems {
        try await output.write(ServerLine.problem(name.description(of: problem)))
      }
    }
    try await warn(about: state, snapshot)
    try await hint(at: snapshot.request)
    try await output.write(ServerLine.end(code: 0))
  }

  /// Sends what `list` says instead of the list if quotes were forgotten in `--where`.
  private func refuse(_ string: UnquotedString) async throws(ClientGone) {
    try await output.write(ServerLine.message("--where: \(string.error.message)"))
    try await output.write(ServerLine.end(code: RenderedSession.badData))
  }

  /// The exit code of `list` for such a predicate, `EX_DATAERR`.
  private static let badData = 65

  private func pieces(of snapshot: ResultsSnapshot) -> OutputPieces {
    switch form.format {
    case .text: writer.pieces(of: .snapshot(snapshot))
    case .list(let format): format.pieces(of: snapshot, options)
    }
  }

  private var writer: EventWriter {
    EventWriter(
      root: form.name ?? list.request.folder, options: options, followsChanges: !form.once,
      clock: WallClock.local)
  }

  /// Sends the warnings and hints that `list` and `watch` print.
  private func warn(about state: StoreState, _ snapshot: ResultsSnapshot) async throws(ClientGone) {
    for warning in state.frontMatterWarnings {
      try await output.write(
        ServerLine.message("warning: \(name.path(of: warning.path)): \(warning.message)"))
    }
    for hint in snapshot.hintMessages { try await output.write(ServerLine.message(hint)) }
  }

  /// Sends a hint, once, if the predicate exceeded its time limit.
  private func hint(at request: FetchRequest) async throws(ClientGone) {
    if let hint = request.predicate?.consumeHint() {
      try await output.write(ServerLine.message("hint: \(hint)"))
    }
  }

  // MARK: Following

  private mutating func follow(_ results: FetchedResults) async throws(ClientGone) {
    try await warn(about: list.folder.store.currentState, results.snapshot)
    let subscription = results.subscribe()
    subscription.followFolder()
    var warnings = results.snapshot.warnings
    let input = LiveInput(client.connection, subscription, on: client.context.queue(of: client.connection))
    defer { input.finish() }
    while let next = await input.next() {
      switch next {
      case .line(let line): try await resize(line)
      case .event(let event):
        try await output.writeFrames(writer.pieces(of: event))
        let known = warnings
        warnings = subscription.given?.warnings ?? []
        for warning in warnings where !known.contains(warning) {
          try await output.write(ServerLine.message(warning.warningMessage))
        }
        try await hint(at: results.request)
      }
    }
  }

  /// Follows the size of the client's window: `{"columns":120}`.
  private mutating func resize(_ line: ControlLine) async throws(ClientGone) {
    let value = line.bytes.flatMap { try? PackedValue(reading: $0, as: .json).value }
    guard case .map(let fields)? = value, case .number(.integer(let columns))? = fields["columns"],
      columns >= 0
    else {
      return try await output.write(
        ServerLine.message("Expected a line with the width of the window, such as {\"columns\":120}."))
    }
    form.columns = columns
  }
}
