package import PlainStore

/// A stream whose reader changes the view with control lines.
///
/// Each control line is answered in the stream, in order: with one update of origin `view`, with a
/// bookmark if the list stays the same, or with an error that changes nothing. An acknowledgement
/// has an answer only if its token is unknown.
///
/// It is an actor because two sources meet here, changes of the folder and control lines. An event
/// taken from the list is written before the next one is taken.
package actor ControlledStream<Output: ByteOutput> {
  private let results: FetchedResults
  private let subscription: ResultsSubscription
  private var sink: JSONLinesSink<Output>
  private var view: ControlledView
  private let onEvent: @Sendable (ResultsEvent) -> Void

  /// Continues a stream.
  ///
  /// - Parameters:
  ///   - results: The list.
  ///   - subscription: A subscription of the list. Nil to begin with its snapshot.
  ///   - own: The view that the command line defines.
  ///   - resolve: Makes a request from the settings and a view.
  ///   - sink: Writes the stream.
  ///   - onEvent: Called with each event after it was written.
  package init(
    _ results: FetchedResults, _ subscription: ResultsSubscription? = nil, own: ViewDefinition,
    resolving resolve: @escaping ControlledView.Resolver,
    _ sink: sending JSONLinesSink<Output>,
    onEvent: @escaping @Sendable (ResultsEvent) -> Void = { _ in }
  ) {
    self.onEvent = onEvent
    self.results = results
    view = ControlledView(own, resolving: resolve)
    self.sink = sink
    self.subscription = subscription ?? results.subscribe()
  }

  /// Waits for the next event and writes it. Returns false if the list is closed or the task is
  /// cancelled.
  package func printNext() async throws -> Bool {
    guard await subscription.hasStep() else { return false }
    // An answer may have written the event in the meantime.
    if let event = subscription.consumeEvent() { try write(event) }
    return true
  }

  /// Applies a control line and writes the answer before it returns.
  package func answer(_ line: ControlLine) throws {
    switch view.answer(line, of: results, to: subscription, acknowledging: { sink.acknowledge($0) }) {
    case .acknowledged: break
    case .refused(let message): try sink.report(code: ControlledView.errorCode, message: message)
    case .changed(let earlier, let answer):
      if let earlier { try write(earlier) }
      if let answer { try write(answer) } else { try sink.bookmark() }
    }
  }

  private func write(_ event: ResultsEvent) throws {
    try sink.receive(event)
    onEvent(event)
  }
}
