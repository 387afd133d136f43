package import Store

/// A stream whose reader changes the view with control lines, each of which is answered in order.
///
/// It is an actor because two sources meet here, changes of the folder and control lines. An event
/// taken from the list is written before the next one is taken.
package actor ControlledStream<Output: ByteOutput> {
  private let results: FetchedResults
  private let subscription: ResultsSubscription
  private var writer: StreamWriter
  private var output: Output
  private var view: ControlledView
  private let onEvent: @Sendable (ResultsEvent) -> Void

  /// Continues a stream.
  ///
  /// - Parameters:
  ///   - results: The list.
  ///   - subscription: A subscription of the list.
  ///   - view: The view that the command line defines.
  ///   - writer: Makes the lines.
  ///   - output: The destination of the lines.
  ///   - onEvent: Receives each event after it was written.
  package init(
    _ results: FetchedResults, _ subscription: ResultsSubscription, _ view: ControlledView,
    _ writer: StreamWriter,
    to output: sending Output, onEvent: @escaping @Sendable (ResultsEvent) -> Void
  ) {
    self.results = results
    self.subscription = subscription
    self.view = view
    self.writer = writer
    self.output = output
    self.onEvent = onEvent
  }

  /// Waits for the next event and writes it. Returns false if the list is closed or the task is
  /// cancelled.
  package func printNext() async throws -> Bool {
    guard await subscription.hasStep() else { return false }
    // An answer may have written the event in the meantime.
    if let event = subscription.consumeEvent() {
      writer.add(event)
      try write([event])
    }
    return true
  }

  /// Applies a control line and writes the answer before it returns.
  package func answer(_ line: ControlLine) throws {
    try write(writer.answer(line, changing: &view, of: results, to: subscription))
  }

  private func write(_ events: [ResultsEvent]) throws {
    try writer.write(to: &output)
    for event in events { onEvent(event) }
  }
}
