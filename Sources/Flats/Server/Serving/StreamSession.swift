import Git
import PlainStore
import Sinks
import Streams

/// A client with a live stream, which it may change with control lines.
struct StreamSession {
  private let client: ClientSession
  private let list: RequestedList
  private let results: FetchedResults
  private let start: StreamStart
  private var writer: StreamWriter
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
    let tokens = TokenSource(view: list.identity.hash, at: client.context.head(of: list.folder.path))
    writer = StreamWriter(start, root: list.request.folder, tokens: tokens, clock: WallClock.now)
    view = ControlledView(list.request.own, resolving: list.resolve)
  }

  /// Sends the stream until the client is gone or is to end.
  mutating func run() async throws(ClientGone) {
    let subscription = start.subscription(to: results)
    subscription.followFolder()
    let positions = client.context.positions
    positions.begin(client.connection.id, in: list.folder.path, view: list.identity.hash)
    defer { positions.end(client.connection.id) }
    if case .resumed(let known, let position) = start {
      positions.record(client.connection.id, known, at: position)
    }
    writer.begin(view: list.view.written, subscription.consumeEvent())
    try await write(subscription)
    let input = LiveInput(client.connection, subscription, on: client.context.queue(of: client.connection))
    defer { input.finish() }
    while let next = await input.next() {
      switch next {
      case .line(let line): _ = writer.answer(line, changing: &view, of: results, to: subscription)
      case .event(let event): writer.add(event)
      }
      try await write(subscription)
    }
  }

  /// Sends the lines that wait, and the warnings that are new in the list that the client has.
  private mutating func write(_ subscription: ResultsSubscription) async throws(ClientGone) {
    let known = warnings
    warnings = subscription.given?.warnings ?? []
    writer.add(warnings: warnings, besides: known)
    while let line = writer.lines.next() { try await client.output.write(line.pieces) }
    if let list = writer.list {
      client.context.positions.record(client.connection.id, list, at: writer.position)
    }
  }
}
