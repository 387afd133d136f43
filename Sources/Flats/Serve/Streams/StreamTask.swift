import Store
import Streams
import Values

/// Writes one stream of server-sent events, until its client is gone. One task uses it.
///
/// Lines of several views take turns, so that the long list of one view delays no other. Nothing is
/// read from a list before what it had was sent: a client that reads nothing costs the list that it
/// was given last, and the lines that wait.
struct StreamTask {
  private let context: WebContext
  private let stream: LiveStream
  private let writer: any BodyWriter
  /// True if lines name their view.
  private let isMultiplexed: Bool
  /// True if the client changes its only view with control lines.
  private let isControlled: Bool
  /// The control lines that are not complete yet.
  private var control = LineBuffer()
  private var views: [(id: String, view: any StreamedView)] = []
  /// The tokens that the client has, by view.
  private var tokens: [String: String] = [:]
  /// The place of the view whose turn is next.
  private var turn = 0

  /// The number of lines that may wait while another request is answered.
  private static let maxWaiting = 16
  /// The id of the only view of a stream that is not multiplexed.
  static let onlyView = ""

  init(
    _ stream: LiveStream, _ context: WebContext, isMultiplexed: Bool, isControlled: Bool,
    to writer: any BodyWriter
  ) {
    self.isControlled = isControlled
    self.stream = stream
    self.context = context
    self.isMultiplexed = isMultiplexed
    self.writer = writer
  }

  /// Opens the views and writes until the client is gone.
  mutating func run(_ first: RequestedViews) async throws(CancellationError) {
    defer { for (_, view) in views { view.finish() } }
    if isMultiplexed || isControlled { try await write(hello, named: "stream") }
    try await answer(first)
    // The view was removed while the stream was opened. The next request of the client gets 404.
    if !isMultiplexed, views.isEmpty { return }
    while !writer.isOver, !stream.isOver {
      if waitingCount < StreamTask.maxWaiting, let input = stream.nextInput() {
        switch input {
        case .views(let views): try await answer(views)
        case .control(let bytes, let latch):
          defer { latch.open() }
          try await answer(bytes)
        case .heartbeat: try await writer.write(ServerSentEvent.heartbeat)
        }
      } else if try await !writeNext() {
        await writer.wakeup.wait()
      }
    }
  }

  private var waitingCount: Int { views.reduce(0) { $0 + $1.view.output.count } }

  private var hello: [UInt8] {
    JSONWriter.line("stream") { line in
      line.field("stream") { $0.write(stream.id) }
      line.field("heartbeat") { $0.write(Int(context.options.heartbeat.components.seconds)) }
      line.field("page") { $0.write(context.page) }
    }
  }

  // MARK: Output

  /// Writes one line of the next view that has one. Returns false if none has.
  ///
  /// - Parameter addsSteps: False for the lines that wait already.
  private mutating func writeNext(addingSteps addsSteps: Bool = true) async throws(CancellationError) -> Bool
  {
    for _ in 0..<views.count {
      let place = turn % views.count
      turn = place + 1
      // A step without lines is not the last one: others are reported when there is none left.
      while addsSteps, views[place].view.output.isEmpty, views[place].view.addStep() {}
      guard let line = views[place].view.output.next() else { continue }
      let id = views[place].id
      if let token = line.token { tokens[id] = token }
      try await write(
        ServerSentEvent.pieces(
          of: line.pieces, named: isMultiplexed ? id : nil, id: line.token.map { _ in position }))
      return true
    }
    return false
  }

  /// The position of the client in all views.
  private var position: String {
    guard isMultiplexed else { return tokens[StreamTask.onlyView] ?? "" }
    return views.compactMap { view in tokens[view.id].map { "\(view.id)=\($0)" } }.joined(separator: ";")
  }

  private func write(_ pieces: OutputPieces) async throws(CancellationError) {
    for number in 0..<pieces.count { try await writer.write(pieces[number]) }
  }

  private func write(_ line: [UInt8], named name: String?) async throws(CancellationError) {
    try await write(ServerSentEvent.pieces(of: OutputPieces(line), named: name, id: nil))
  }

  // MARK: Views

  /// Opens, changes and closes views.
  private mutating func answer(_ requested: RequestedViews) async throws(CancellationError) {
    for (id, request) in requested.requests {
      if writer.isOver { return }
      do throws(ViewMistake) {
        switch request {
        case .close: close(id)
        case .mistake(let mistake): throw mistake
        case .show(let view): try await show(view, id)
        }
      } catch {
        try await write(error.line, named: isMultiplexed ? id : nil)
      }
    }
  }

  /// Answers control lines. What their answers and the list say before is sent first, so a client
  /// that reads nothing has one answer waiting.
  private mutating func answer(_ bytes: [UInt8]) async throws(CancellationError) {
    control.append(bytes[...])
    while let line = control.nextLine(), !views.isEmpty, !writer.isOver, !stream.isOver {
      var view = views[0].view
      views[0].view = await withTaskExecutorPreference(context.queues.opening(stream.number)) {
        view.answer(line)
        return view
      }
      while try await writeNext(addingSteps: false) {}
    }
  }

  private mutating func close(_ id: String) {
    guard let place = views.firstIndex(where: { $0.id == id }) else { return }
    views.remove(at: place).view.finish()
    tokens[id] = nil
  }

  private mutating func show(_ view: RequestedView, _ id: String) async throws(ViewMistake) {
    if let place = views.firstIndex(where: { $0.id == id }) {
      var known = views[place].view
      let outcome = await onOpeningQueue { () throws(ViewMistake) in
        let isDone = try known.change(to: view)
        return (known, isDone)
      }
      let (changed, isDone) = try outcome.get()
      if isDone {
        views[place].view = changed
        return
      }
      guard let opened = try await open(view) else { return }
      close(id)
      views.insert((id, opened), at: place)
    } else {
      guard views.count < RequestedViews.maxCount else {
        throw ViewMistake(
          "The stream already has \(views.count) views, the limit. Close one.", request: view.request)
      }
      if let opened = try await open(view) { views.append((id, opened)) }
    }
  }

  /// Opens a view; nil if the client left while others were opened.
  private func open(_ view: RequestedView) async throws(ViewMistake) -> (any StreamedView)? {
    try await onOpeningQueue {
      [context, stream, writer] () async throws(ViewMistake) -> (any StreamedView)? in
      if writer.isOver { return nil }
      let opened = try await OpenedView(
        view, context, on: context.queues.stream(stream.number), waking: writer.wakeup)
      if let text = view.text { return TextView(opened, text) }
      if let window = view.window { return WindowView(opened, window, answering: view.request) }
      return LineView(opened)
    }.get()
  }

  /// Runs work that takes as long as a list is large.
  private func onOpeningQueue<Answer>(
    _ body: () async throws(ViewMistake) -> Answer
  ) async -> Result<Answer, ViewMistake> {
    await withTaskExecutorPreference(context.queues.opening(stream.number)) {
      do throws(ViewMistake) { return .success(try await body()) } catch { return .failure(error) }
    }
  }
}
