import Git
import Printing
import StateStore
import Store
import Streams
import Values

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
    var writer = EventWriter(
      root: folder.folder, options: .standardOutput(colors.color), followsChanges: !resume.once,
      clock: WallClock.local)
    var output = StandardOutput()
    var positions = StreamPositions(at: point.start.position, tokens: try tokens(from: point))
    let subscription = point.start.subscription(to: session.results)
    let first = subscription.consumeEvent()
    if case .resumed = point.start {
      let list = session.results.snapshot
      let event = first ?? .step(update: nil, problems: [])
      try positions.deliver(event, recordedIn: point.state) {
        try writer.resume(first, list: list).write(to: &output)
      }
      session.meter.record(event)
    } else if let first {
      try positions.deliver(first, recordedIn: point.state) {
        try writer.pieces(of: first).write(to: &output)
      }
    }
    session.hintAtPredicate()
    if resume.once { return }
    while let event = await subscription.next() {
      // The size of the terminal may have changed.
      writer.options = .standardOutput(colors.color)
      try positions.deliver(event, recordedIn: point.state) {
        try writer.pieces(of: event).write(to: &output)
      }
      session.meter.record(event)
      session.hintAtPredicate()
    }
  }

  private func printStream(_ session: Session, from point: ResumePoint) async throws {
    var writer = StreamWriter(
      point.start, root: folder.folder, tokens: try tokens(from: point), log: point.state,
      offering: point.offer,
      readerAcknowledges: control && point.readerAcknowledges, clock: WallClock.now)
    var output = StandardOutput()
    let subscription = point.start.subscription(to: session.results)
    let first = subscription.consumeEvent()
    writer.begin(view: session.view.written, first)
    try writer.write(to: &output)
    if let first { session.meter.record(first) }
    session.hintAtPredicate()
    if resume.once { return }
    if control { return try await printControlled(session, subscription, writer) }
    while let event = await subscription.next() {
      writer.add(event)
      try writer.write(to: &output)
      session.meter.record(event)
      session.hintAtPredicate()
    }
  }

  /// Prints the stream and answers control lines until the results or the output end. The end of
  /// the input ends only the control.
  private func printControlled(
    _ session: Session, _ subscription: ResultsSubscription, _ writer: StreamWriter
  ) async throws {
    let stream = ControlledStream(
      session.results, subscription, ControlledView(try view.definition(), resolving: { view.resolver($0) }),
      writer,
      to: StandardOutput(), onEvent: { session.meter.record($0) })
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await StandardInput.forEachLine { line in
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
