import Git
import PlainStore
import Sinks
import Streams

/// One client, from its first line to its end.
struct ClientSession: Sendable {
  /// The connection to the client.
  let connection: Connection
  /// The output to the client.
  let output: ClientOutput
  /// Everything that the client shares with others.
  let context: ServerContext
  /// The loop that has the deadline of the client.
  let loop: SocketLoop
  /// Records the folder whose list the client has.
  let onFolder: @Sendable (String) -> Void

  /// Serves the client.
  func run() async {
    do throws(RequestError) {
      guard let line = try await firstLine() else { return }
      try await answer(ClientRequest(reading: line.bytes))
    } catch {
      try? await output.write(ServerLine(error))
    }
  }

  /// Waits for the first line; nil if the client is gone.
  private func firstLine() async throws(RequestError) -> ControlLine? {
    loop.setDeadline(after: context.options.requestTimeout, .request, of: connection)
    defer { loop.clearDeadline(of: connection) }
    while true {
      if let line = connection.nextLine() { return line }
      if connection.hasOverlongLine { return ControlLine(nil) }
      if connection.isEnding {
        throw RequestError(.closing, "The daemon is stopping. Connect again when it runs.")
      }
      if connection.isLate {
        let seconds = context.options.requestTimeout.components.seconds
        throw RequestError(
          .timeout, "No request came within \(seconds) s. Send one line of JSON right after connecting.")
      }
      if connection.hasInputEnded || connection.isGone { return nil }
      await connection.wakeup.wait()
    }
  }

  private func answer(_ request: ClientRequest) async throws(RequestError) {
    switch request {
    case .status(let folder):
      let fields = try await context.handler.status(of: folder)
      try? await output.write(ServerLine.status(fields))
    case .retry(let sink, let folder):
      try await context.handler.retry(sink, in: folder)
      try? await output.write(ServerLine.done)
    case .stream(let view):
      guard let list = try await list(of: view) else { return }
      try await stream(list)
    case .rendered(let view, let form):
      guard let list = try await list(of: view) else { return }
      let session = RenderedSession(self, list, form)
      try await onOpeningQueue { () async throws(RequestError) in
        var session = session
        try await session.run()
      }
    }
  }

  /// Opens the list that a client asks for, after everything that was written before is in it; nil
  /// if the client is gone meanwhile.
  private func list(of request: ViewRequest) async throws(RequestError) -> RequestedList? {
    await context.handler.folderIsRead(at: request.folder)
    let list = try RequestedList(request, context.handler)
    onFolder(list.folder.path)
    await list.folder.store.settled()
    if connection.isEnding {
      throw RequestError(
        .closing, "The daemon stopped, or \(request.folder) was removed from its configuration.")
    }
    return connection.isGone ? nil : list
  }

  /// Runs work that takes as long as a list is large.
  private func onOpeningQueue<Result: Sendable>(
    _ body: @Sendable () async throws(RequestError) -> Result
  ) async throws(RequestError) -> Result {
    let result = await withTaskExecutorPreference(context.openingQueue(of: connection)) {
      () async -> Swift.Result<Result, RequestError> in
      do throws(RequestError) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func stream(_ list: RequestedList) async throws(RequestError) {
    let results = try await onOpeningQueue { () async throws(RequestError) in try list.open() }
    let search = TokenResume(
      in: list.folder.path, list.storeOptions, list.identity, resolving: list.fetchRequest)
    let start = await StreamStart.find(
      list.request.since, among: context.positions, orBy: search, on: context.resuming)
    var session = StreamSession(self, list, results, start)
    // The client may end at any time.
    try? await session.run()
  }
}
