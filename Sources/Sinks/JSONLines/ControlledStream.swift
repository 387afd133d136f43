package import PlainStore
import PlainText

/// A stream whose reader changes the view with control lines.
///
/// Each control line is answered in the stream, in order: with one update of origin `view`, with a
/// bookmark if the list stays the same, or with an error that changes nothing. An acknowledgement
/// has an answer only if its token is unknown.
///
/// It is an actor because two sources meet here, changes of the folder and control lines. An event
/// taken from the list is written before the next one is taken.
package actor ControlledStream<Output: ByteOutput> {
  /// Makes a view from the settings, with the options of this run applied.
  package typealias Resolver = @Sendable (ViewDefinition) -> @Sendable (Settings) throws(SettingsError) -> ViewDefinition

  private let results: FetchedResults
  private let subscription: ResultsSubscription
  private let resolve: Resolver
  private var sink: JSONLinesSink<Output>
  /// The view that the command line and the control lines define.
  private var own: ViewDefinition
  private var lineNumber = 0
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
    _ results: FetchedResults, _ subscription: ResultsSubscription? = nil, own: ViewDefinition, resolving resolve: @escaping Resolver,
    _ sink: sending JSONLinesSink<Output>,
    onEvent: @escaping @Sendable (ResultsEvent) -> Void = { _ in }
  ) {
    self.onEvent = onEvent
    self.results = results
    self.own = own
    self.resolve = resolve
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
    lineNumber += 1
    let changed: ViewDefinition
    do throws(TextError) {
      switch try line.request(changing: own) {
      case .view(let view): changed = view
      case .acknowledgement(let token):
        guard !sink.acknowledge(token) else { return }
        throw line.error("The token `\(token)` is unknown. Use a token of this stream.", at: [ControlLine.acknowledgementKey])
      }
    } catch {
      return try refuse("column \(error.column): \(error.message)")
    }
    let resolver = resolve(changed)
    let steps: (earlier: ResultsEvent?, answer: ResultsEvent?)
    do throws(SettingsError) {
      steps = try results.follow({ settings throws(SettingsError) in try resolver(settings).request }, answering: subscription)
    } catch {
      return try refuse(error.description)
    }
    own = changed
    if let earlier = steps.earlier { try write(earlier) }
    if let answer = steps.answer { try write(answer) } else { try sink.bookmark() }
  }

  private func write(_ event: ResultsEvent) throws {
    try sink.receive(event)
    onEvent(event)
  }

  private func refuse(_ reason: String) throws {
    try sink.report(code: "bad-control", message: "Control line \(lineNumber), \(reason)")
  }
}
