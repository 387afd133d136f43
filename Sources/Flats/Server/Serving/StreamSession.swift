import Git
import PlainStore
import Sinks

/// A client with a live stream, which it may change with control lines.
struct StreamSession {
  private let client: ClientSession
  private let list: RequestedList
  private let results: FetchedResults
  private let start: StreamStart
  private let tokens: TokenSource
  private var encoder: StreamEncoder
  private var view: ControlledView
  /// The warnings that the client was sent and that still hold.
  private var warnings: [Hint] = []

  /// Makes the session of a client.
  ///
  /// - Parameters:
  ///   - list: The list that the client asked for.
  ///   - results: The open list.
  ///   - start: The position from which the stream continues, if it does.
  init(_ client: ClientSession, _ list: RequestedList, _ results: FetchedResults, _ start: StreamStart) {
    self.client = client
    self.list = list
    self.results = results
    self.start = start
    let hash = list.identity.hash
    if let head = client.context.head(of: list.folder.path) {
      tokens = TokenSource(view: hash, hasDigests: true) { head.commit() }
    } else {
      tokens = TokenSource(view: hash)
    }
    encoder = StreamEncoder(at: start.position, tokens: tokens)
    view = ControlledView(list.request.own, resolving: list.resolve)
  }

  private var output: ClientOutput { client.output }
  private var positions: RecentPositions { client.context.positions }

  /// Sends the stream until the client is gone or is to end.
  mutating func run() async throws(ClientGone) {
    let subscription = start.subscription(to: results)
    subscription.followFolder()
    positions.begin(client.connection.id, in: list.folder.path, view: list.identity.hash)
    defer { positions.end(client.connection.id) }
    try await begin(subscription)
    let input = LiveInput(client.connection, subscription, on: client.context.queue(of: client.connection))
    defer { input.finish() }
    while let next = await input.next() {
      switch next {
      case .line(let line): try await answer(line, subscription)
      case .event(let event): try await write(event)
      }
      try await warn(subscription)
    }
  }

  /// Sends the first line, and the list or what changed since the position.
  private mutating func begin(_ subscription: ResultsSubscription) async throws(ClientGone) {
    try await output.write(encoder.hello(root: list.request.folder, view: list.view.written, since: start.position))
    let first = subscription.consumeEvent()
    switch start {
    case .new: break
    case .gone(let failure):
      try await output.write(encoder.error(code: "gone", message: failure.description, why: failure.reason))
    case .resumed(let known, let position):
      positions.record(client.connection.id, known, at: position)
      if first?.update == nil { try await output.write(encoder.bookmark(keepsToken: true)) }
    }
    if let first { try await write(first) }
    try await warn(subscription)
  }

  /// Sends the warnings that are new in the list that the client has.
  private mutating func warn(_ subscription: ResultsSubscription) async throws(ClientGone) {
    let known = warnings
    warnings = subscription.given?.warnings ?? []
    for warning in warnings where !known.contains(warning) { try await output.write(ServerLine.message(warning.warningMessage)) }
  }

  private mutating func answer(_ line: ControlLine, _ subscription: ResultsSubscription) async throws(ClientGone) {
    switch view.answer(line, of: results, to: subscription, acknowledging: { tokens.hasMade($0) }) {
    case .acknowledged: break
    case .refused(let message): try await output.write(encoder.error(code: ControlledView.errorCode, message: message))
    case .changed(let earlier, let answer):
      if let earlier { try await write(earlier) }
      if let answer { try await write(answer) } else { try await output.write(encoder.bookmark()) }
    }
  }

  /// Sends the lines of an event. Each part of a long line is made when there is room for it.
  private mutating func write(_ event: ResultsEvent) async throws(ClientGone) {
    switch event {
    case .snapshot(let snapshot):
      try await output.write(encoder.pieces(of: snapshot))
      positions.record(client.connection.id, snapshot, at: encoder.position)
      try await write(snapshot.problems.map(ProblemChange.raised))
    case .step(let update, let problems):
      if let update {
        try await output.write(encoder.pieces(of: update, time: WallClock.now()))
        positions.record(client.connection.id, update.new, at: encoder.position)
      }
      try await write(problems)
    }
  }

  private func write(_ problems: [ProblemChange]) async throws(ClientGone) {
    for problem in problems { try await output.write(StreamEncoder.problem(problem)) }
  }
}
