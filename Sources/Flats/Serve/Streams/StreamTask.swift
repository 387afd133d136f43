import Store
import Streams

/// Writes one stream of server-sent events, until its client is gone. One task uses it.
///
/// Lines of several views take turns, so that the long list of one view delays no other. Nothing is
/// read from a list before what it had was sent: a client that reads nothing costs the list that it
/// was given last, and the lines that wait.
struct StreamTask {
  private let context: WebContext
  private let stream: LiveStream
  private let writer: any BodyWriter
  private let kind: Kind
  /// The control lines that are not complete yet.
  private var control = LineBuffer()
  private var views: [(id: String, view: any StreamedView)] = []
  /// The tokens that the client has, by view.
  private var tokens: [String: String] = [:]
  /// The place of the view whose turn is next.
  private var turn = 0

  /// How the client changes what it sees.
  enum Kind {
    /// It cannot change its only view.
    case fixed
    /// It changes its only view with control lines.
    case controlled
    /// It opens, changes and closes views, whose ids are the names of the events.
    case multiplexed
  }

  /// The number of lines that may wait while another request is answered.
  private static let maxWaiting = 16
  /// The id of the only view of a stream that is not multiplexed.
  static let onlyView = ""

  init(_ stream: LiveStream, _ context: WebContext, _ kind: Kind, to writer: any BodyWriter) {
    self.stream = stream
    self.context = context
    self.kind = kind
    self.writer = writer
  }

  private var isMultiplexed: Bool { kind == .multiplexed }

  mutating func run(_ first: RequestedViews) async throws(CancellationError) {
    defer { for (_, view) in views { view.finish() } }
    if kind != .fixed { try await write(OutputPieces(hello), named: "stream") }
    try await answer(first)
    // The view was removed while the stream was opened. The next request of the client gets 404.
    if !isMultiplexed, views.isEmpty { return }
    while !isOver {
      if waitingCount < StreamTask.maxWaiting, let input = context.streams.nextInput(of: stream) {
        switch input {
        case .views(let views): try await answer(views)
        case .control(let bytes, let latch):
          defer { latch.open() }
          try await answer(bytes)
        // A comment shows the client that the connection is alive.
        case .heartbeat: try await writer.write(Array(":\n\n".utf8))
        }
      } else if try await !writeNext() {
        await writer.wakeup.wait()
      }
    }
  }

  private var isOver: Bool { writer.isOver || context.streams.isOver }

  private var waitingCount: Int { views.reduce(0) { $0 + $1.view.output.count } }

  private var hello: [UInt8] {
    JSONWriter.line("stream") { line in
      line.field("stream", stream.id)
      line.field("heartbeat", Int(context.options.heartbeat.components.seconds))
      line.field("page", context.page)
    }
  }

  // MARK: Output

  /// Writes one line of the next view that has one; false if none has. `addsSteps` is false for the lines
  /// that wait already.
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
        line.pieces, named: isMultiplexed ? id : nil, position: line.token.map { _ in position })
      return true
    }
    return false
  }

  private var position: String {
    guard isMultiplexed else { return tokens[StreamTask.onlyView] ?? "" }
    return views.compactMap { view in tokens[view.id].map { "\(view.id)=\($0)" } }.joined(separator: ";")
  }

  /// Writes a line, which has no line break but its last byte, as one event. A client that reconnects
  /// continues from `position`; nil keeps the last one.
  private func write(
    _ line: OutputPieces, named name: String?, position: String? = nil
  ) async throws(CancellationError) {
    let fields = (name.map { "event: \($0)\n" } ?? "") + (position.map { "id: \($0)\n" } ?? "")
    let event = line.between(Array("\(fields)data: ".utf8), and: [UInt8(ascii: "\n")])
    for number in 0..<event.count { try await writer.write(event[number]) }
  }

  // MARK: Views

  private mutating func answer(_ requested: RequestedViews) async throws(CancellationError) {
    for (id, view) in requested.views {
      if writer.isOver { return }
      do throws(ProblemDocument) {
        if let view = try view.get() { try await show(view, id) } else { close(id) }
      } catch {
        try await write(OutputPieces(error.line), named: isMultiplexed ? id : nil)
      }
    }
  }

  /// Answers control lines. What their answers and the list say before is sent first, so a client
  /// that reads nothing has one answer waiting.
  private mutating func answer(_ bytes: [UInt8]) async throws(CancellationError) {
    control.append(bytes[...])
    while let line = control.nextLine(), !views.isEmpty, !isOver {
      var view = views[0].view
      views[0].view = await onOpeningQueue {
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

  private mutating func show(_ view: RequestedView, _ id: String) async throws(ProblemDocument) {
    do throws(ProblemDocument) {
      guard let place = views.firstIndex(where: { $0.id == id }) else {
        guard views.count < RequestedViews.maxCount else {
          throw .badView("The stream already has \(views.count) views, the limit. Close one.")
        }
        if let opened = try await open(view) { views.append((id, opened)) }
        return
      }
      var known = views[place].view
      let (changed, isDone) = try await onOpeningQueue { () throws(ProblemDocument) in
        let isDone = try known.change(to: view)
        return (known, isDone)
      }
      if isDone {
        views[place].view = changed
      } else if let opened = try await open(view) {
        close(id)
        views.insert((id, opened), at: place)
      }
    } catch {
      throw error.answering(view.request)
    }
  }

  /// Opens a view; nil if the client left while others were opened.
  private func open(_ view: RequestedView) async throws(ProblemDocument) -> (any StreamedView)? {
    try await onOpeningQueue {
      [context, writer] () async throws(ProblemDocument) -> (any StreamedView)? in
      if writer.isOver { return nil }
      let opened = try await OpenedView(
        view, context, on: writer.executor, waking: writer.wakeup)
      if let text = view.text { return TextView(opened, text) }
      if let window = view.window { return WindowView(opened, window, answering: view.request) }
      return LineView(opened)
    }
  }

  /// Runs work that takes as long as a list is large.
  private func onOpeningQueue<Answer, Failure: Error>(
    _ body: () async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    try await withTaskExecutorPreference(context.queues.opening(stream.number)) {
      () async throws(Failure) in try await body()
    }
  }
}

/// One view of a stream: makes the lines that its client gets. One task uses it.
protocol StreamedView {
  var output: LineQueue { get set }

  /// Adds the lines of the step that is due; false if there is none. A step may have no lines.
  mutating func addStep() -> Bool

  /// Changes the view, and adds the answer. Takes as long as the list is large. False if another kind of view
  /// was asked for, and nothing was done. After an error the view stays as it was.
  mutating func change(to view: RequestedView) throws(ProblemDocument) -> Bool

  mutating func answer(_ line: ControlLine)

  func finish()
}

extension StreamedView {
  mutating func answer(_ line: ControlLine) {}
}

extension LineQueue {
  mutating func add(_ problems: [ProblemChange]) {
    for problem in problems { add(StreamEncoder.problem(problem)) }
  }
}
