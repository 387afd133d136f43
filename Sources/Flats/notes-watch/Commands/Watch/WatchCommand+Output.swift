import Daemon
import PlainStore
import Sinks
import Values

/// The stream or the text on standard output.
extension WatchCommand {
  /// Prints everything that the reader of standard output does not have yet. Then it prints each
  /// change, unless `--once` is given.
  func print(_ session: Session, from point: ResumePoint) async throws {
    switch output ?? .text {
    case .text: try await printText(session, from: point)
    case .jsonl: try await printStream(session, from: point)
    }
  }

  private func printText(_ session: Session, from point: ResumePoint) async throws {
    var sink = TextSink(
      root: folder.folder, options: .standardOutput(colors.color), output: StandardOutput(), followsChanges: !resume.once,
      clock: WallClock.local)
    var record = point.log.map { RecordedDelivery(in: $0, at: point.position, tokens: point.tokens) }
    let subscription = point.subscription(to: session.results)
    let first = subscription.consumeEvent()
    if case .resumed = point.start {
      let list = session.results.snapshot
      let event = first ?? .step(update: nil, problems: [])
      try record.deliver(event) { try sink.resume(first, list: list) }
      session.meter.record(event)
    } else if let first {
      try record.deliver(first) { try sink.receive(first) }
    }
    session.hintAtPredicate()
    if resume.once { return }
    while let event = await subscription.next() {
      // The size of the terminal may have changed.
      sink.options = .standardOutput(colors.color)
      try record.deliver(event) { try sink.receive(event) }
      session.meter.record(event)
      session.hintAtPredicate()
    }
  }

  private func printStream(_ session: Session, from point: ResumePoint) async throws {
    var sink = JSONLinesSink(
      StandardOutput(), at: point.position, tokens: point.tokens, log: point.log,
      readerAcknowledges: control && point.readerAcknowledges, clock: WallClock.now)
    let subscription = point.subscription(to: session.results)
    let (root, view) = (folder.folder, session.view.written)
    let first = subscription.consumeEvent()
    switch point.start {
    case .resumed(let list, _): try sink.resume(root: root, view: view, after: list, offering: point.offer, first)
    case .new: try sink.begin(root: root, view: view)
    case .gone(let failure):
      try sink.begin(root: root, view: view)
      try sink.report(code: "gone", message: failure.description, why: failure.reason)
    }
    if let first {
      if point.position == nil { try sink.receive(first) }
      session.meter.record(first)
    }
    session.hintAtPredicate()
    if resume.once { return }
    if control { return try await printControlled(session, subscription, sink) }
    while let event = await subscription.next() {
      try sink.receive(event)
      session.meter.record(event)
      session.hintAtPredicate()
    }
  }

  /// Prints the stream and answers control lines until the results or the output end. The end of
  /// the input ends only the control.
  private func printControlled(
    _ session: Session, _ subscription: ResultsSubscription, _ sink: sending JSONLinesSink<StandardOutput>
  ) async throws {
    let stream = ControlledStream(
      session.results, subscription, own: try view.definition(), resolving: { view.resolver($0) }, sink,
      onEvent: { session.meter.record($0) })
    let input = StandardInput()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        while let line = await input.nextLine() {
          try await stream.answer(line)
          session.hintAtPredicate()
        }
        return false
      }
      group.addTask {
        while try await stream.printNext() { session.hintAtPredicate() }
        return true
      }
      for try await isOver in group where isOver { group.cancelAll() }
    }
  }
}

extension ResumePoint {
  /// The position from which the consumer resumes; nil if it starts with the list.
  fileprivate var position: StreamPosition? {
    guard case .resumed(_, let position) = start else { return nil }
    return position
  }

  /// Returns a subscription that begins with the list, or with what changed since the position.
  fileprivate func subscription(to results: FetchedResults) -> ResultsSubscription {
    guard case .resumed(let list, _) = start else { return results.subscribe() }
    return results.subscribe(resumingAfter: list)
  }
}

extension RecordedDelivery? {
  /// Writes an event, and records it if there is a record.
  fileprivate mutating func deliver(_ event: ResultsEvent, write: () throws -> Void) rethrows {
    if try self?.deliver(event, write: write) == nil { try write() }
  }
}
