import Printing
import StateStore
import Store
import Streams

extension WatchCommand {
  /// Prints what the reader of standard output does not have yet, then each change, unless with `--once`.
  func print(_ session: Session, from point: ResumePoint) async throws {
    switch output ?? .text {
    case .text: try await printText(session, from: point)
    case .jsonl: try await printStream(session, from: point)
    }
  }

  private func printText(_ session: Session, from point: ResumePoint) async throws {
    var writer = EventWriter(
      root: folder.folder, options: .standardOutput(colors.color, isWide: wide), followsChanges: !resume.once,
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
      writer.options = .standardOutput(colors.color, isWide: wide)
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

  /// Answers control lines, too. The end of the input ends only the control.
  private func printControlled(
    _ session: Session, _ subscription: ListSubscription, _ writer: StreamWriter
  ) async throws {
    var (writer, output) = (writer, StandardOutput())
    var controlled = ControlledView(try view.definition(), resolving: { view.resolver($0) })
    // Control lines, and nil for a step of the list. A source goes on when its signal was handled.
    let (signals, continuation) = AsyncStream<ControlLine?>.makeStream()
    let (isAnswered, isPrinted) = (Wakeup(), Wakeup())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await ControlLine.forEachOfStandardInput { line in
          continuation.yield(line)
          await isAnswered.wait()
        }
      }
      group.addTask {
        while await subscription.hasStep() {
          continuation.yield(nil)
          await isPrinted.wait()
        }
        continuation.finish()
      }
      for await line in signals {
        var events: [ListEvent] = []
        if let line {
          events = writer.answer(line, changing: &controlled, of: session.results, to: subscription)
        } else if let event = subscription.consumeEvent() {
          // Otherwise an answer wrote it in the meantime.
          writer.add(event)
          events = [event]
        }
        try writer.write(to: &output)
        for event in events { session.meter.record(event) }
        session.hintAtPredicate()
        (line == nil ? isPrinted : isAnswered).signal()
      }
      group.cancelAll()
    }
  }
}
