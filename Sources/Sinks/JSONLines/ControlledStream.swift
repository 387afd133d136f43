package import PlainStore
import PlainText

/// A stream whose view its reader changes. Each control line is answered in the stream, in order: by one update of origin `view`, by a bookmark where the list stays
/// the same, or by an error, and then nothing changed.
///
/// An actor, since two come together here, the folder's changes and the reader's: what is taken from the list is written before anything else is taken.
package actor ControlledStream<Output: ByteOutput> {
  /// How a view is made of the settings, with what was said for this run in its place.
  package typealias Resolver = @Sendable (ViewDefinition) -> @Sendable (Settings) throws(SettingsError) -> ViewDefinition

  private let results: FetchedResults
  private let subscription: ResultsSubscription
  private let resolve: Resolver
  private var sink: JSONLinesSink<Output>
  /// What the command line and the control lines said.
  private var own: ViewDefinition
  private var lineNumber = 0
  private let told: @Sendable (ResultsEvent) -> Void

  /// - Parameter told: is handed every event that is out.
  package init(
    _ results: FetchedResults, own: ViewDefinition, resolving resolve: @escaping Resolver, _ sink: sending JSONLinesSink<Output>,
    told: @escaping @Sendable (ResultsEvent) -> Void = { _ in }
  ) {
    self.told = told
    self.results = results
    self.own = own
    self.resolve = resolve
    self.sink = sink
    subscription = results.subscribe()
  }

  /// Waits for what there is to print, and prints it. False when the results are gone or the task is cancelled.
  package func printNext() async throws -> Bool {
    guard await subscription.hasStep() else { return false }
    // In the meantime an answer may have taken it along.
    if let event = subscription.consumeEvent() { try tell(event) }
    return true
  }

  /// Does what a control line asks for and answers it. Returns when the answer is out.
  package func answer(_ line: ControlLine) throws {
    lineNumber += 1
    let changed: ViewDefinition
    do throws(TextError) {
      changed = try line.change(of: own)
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
    if let earlier = steps.earlier { try tell(earlier) }
    if let answer = steps.answer { try tell(answer) } else { try sink.bookmark() }
  }

  private func tell(_ event: ResultsEvent) throws {
    try sink.receive(event)
    told(event)
  }

  private func refuse(_ reason: String) throws {
    try sink.report(code: "bad-control", message: "Control line \(lineNumber), \(reason)")
  }
}
