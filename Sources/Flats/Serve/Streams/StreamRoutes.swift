import HTTPTypes
import Store
import Streams

extension Router {
  mutating func addStreamRoutes(_ context: WebContext) {
    on(.get, "/stream", context.stream)
    on(.post, "/stream/views", context.changeViews)
  }
}

/// Answers requests that open or change streams.
extension WebContext {
  /// The largest size of a request to change views, in bytes.
  private static let maxViewsSize = WebStreams.maxRequestBytes

  /// Answers with a stream of server-sent events.
  fileprivate func stream(_ request: ServerRequest) throws(ProblemDocument) -> ServerResponse {
    let position = HTTPField.Name("Last-Event-ID").flatMap { request.head.headerFields[$0] }
    if try request.target.value("views") == nil {
      return try stream(request, try single(request, after: position), .fixed)
    }
    return try stream(request, try multiplexed(request, after: position), .multiplexed)
  }

  private func stream(
    _ request: ServerRequest, _ views: RequestedViews, _ kind: StreamTask.Kind
  ) throws(ProblemDocument) -> ServerResponse {
    try streams.checkRoom()
    var fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    if let name = HTTPField.Name("X-Accel-Buffering") { fields[name] = "no" }
    // A HEAD request opens nothing.
    if request.head.method == .head { return ServerResponse(.ok, fields) }
    let session = request.session
    return ServerResponse(
      .ok, fields,
      .stream { [self] writer throws(CancellationError) in
        // The last free place may be taken since the head was sent. The client then connects again.
        guard
          let stream = try? streams.open(
            session: session, hasHeartbeat: kind != .controlled, waking: writer.wakeup)
        else { return }
        defer { streams.close(stream) }
        var task = StreamTask(stream, self, kind, to: writer)
        try await task.run(views)
      })
  }

  private func single(_ request: ServerRequest, after position: String?) throws(ProblemDocument)
    -> RequestedViews
  {
    // The view of this stream cannot be changed, so a view that does not exist is refused at once.
    let definition = try request.view(self, others: ["from"])
    var view = RequestedView(try ViewParameters(request.target, others: ["from"]))
    let from = try request.target.value("from")
    view.since = position ?? from
    // A stream that resumes isn't refused: the items with the field may have disappeared meanwhile.
    if view.since == nil {
      try request.target.parameters.checkQuotes(
        definition.request.unquotedStrings(in: store.currentState.items.lazy.map(\.value)))
    }
    return RequestedViews(only: view)
  }

  /// Answers with the stream of one view, which the client changes with control lines.
  func controlledStream(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.target.allowOnly([])
    let view = try await request.requestedView(self)
    return try stream(request, RequestedViews(only: view), .controlled)
  }

  /// Passes control lines to a stream, and answers when the stream has answered them.
  func control(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.target.allowOnly(["stream"])
    let id = try request.needed("stream")
    let bytes = try await request.body.read(upTo: WebContext.maxViewsSize)
    let latch = Latch()
    try streams.add(.control(bytes, latch), size: bytes.count, to: id, session: request.session)
    await latch.wait()
    return ServerResponse(.noContent)
  }

  private func multiplexed(_ request: ServerRequest, after position: String?) throws(ProblemDocument)
    -> RequestedViews
  {
    try request.target.allowOnly(["views"])
    let text = try request.needed("views")
    var views = try RequestedViews(RequestedViews.value(reading: Array(text.utf8), of: "views"))
    views.resume(after: WebContext.tokens(position ?? ""))
    return views
  }

  /// Reads the pairs of views and tokens: `a=TOKEN;b=TOKEN`.
  private static func tokens(_ position: String) -> [String: String] {
    var tokens: [String: String] = [:]
    for pair in position.split(separator: ";") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { tokens[String(sides[0])] = String(sides[1]) }
    }
    return tokens
  }

  fileprivate func changeViews(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.target.allowOnly([])
    let type = request.head.headerFields[.contentType] ?? ""
    guard type.prefix(while: { $0 != ";" }).lowercased() == "application/json" else {
      throw ProblemDocument(.unsupportedMediaType, "The body must have the type application/json.")
    }
    let body = try await request.body.read(upTo: WebContext.maxViewsSize)
    guard case .map(let written) = try RequestedViews.value(reading: body, of: "The body"),
      case .string(let id)? = written["stream"],
      let value = written["views"], written.count == 2
    else {
      throw ProblemDocument(
        .badRequest,
        "Expected an object such as {\"stream\":\"ID\",\"views\":{\"a\":{\"search\":\"…\"},\"b\":null}}.")
    }
    let views = try RequestedViews(value)
    try streams.add(.views(views), size: body.count, to: id, session: request.session)
    return ServerResponse(.noContent)
  }
}
