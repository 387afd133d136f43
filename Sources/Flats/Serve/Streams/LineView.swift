import Git
import PlainStore
import Server
import Sinks

/// A view whose client gets the complete list and every change of it: the lines of the stream,
/// version 1.
struct LineView: StreamedView {
  var output = ViewOutput()
  private var view: OpenedView
  private var encoder: StreamEncoder
  /// The list that the client has once everything was sent; nil before the first one.
  private var list: ResultsSnapshot?
  /// The warnings that the client was sent and that still hold.
  private var warnings: [Hint] = []

  /// Begins the stream of a view.
  init(_ view: OpenedView) {
    self.view = view
    encoder = StreamEncoder(at: view.start.position, tokens: LineView.tokens(view))
    view.subscription.followFolder()
    output.add(encoder.hello(root: view.context.name, view: view.definition.written, since: view.start.position))
    let first = view.consumeEvent()
    switch view.start {
    case .new: break
    case .gone(let failure): output.add(encoder.error(code: "gone", message: failure.description, why: failure.reason))
    case .resumed(let known, _):
      list = known
      if first?.update == nil { addBookmark(keepsToken: true) }
    }
    if let first { add(first) }
    addWarnings()
  }

  mutating func addStep() {
    if let event = view.consumeEvent() {
      add(event)
      addWarnings()
    }
  }

  /// Adds the warnings that are new in the list that the client has.
  private mutating func addWarnings() {
    let known = warnings
    warnings = view.subscription.given?.warnings ?? []
    for warning in warnings where !known.contains(warning) { output.add(ServerLine.message(warning.warningMessage).bytes) }
  }

  mutating func change(to new: RequestedView) throws(ViewMistake) -> Bool {
    if new.window != nil { return false }
    let parameters = new.parameters.over(view.context.base)
    let steps: (earlier: ResultsEvent?, answer: ResultsEvent?)
    do throws(SettingsError) {
      steps = try view.results.follow(OpenedView.resolver(parameters), answering: view.subscription)
    } catch {
      throw ViewMistake(error, parameter: "view", request: new.request)
    }
    if let earlier = steps.earlier { add(earlier) }
    view.adopt(parameters)
    encoder = StreamEncoder(at: encoder.position, tokens: LineView.tokens(view))
    if let answer = steps.answer { add(answer) } else { addBookmark() }
    addWarnings()
    return true
  }

  func finish() { view.finish() }

  private static func tokens(_ view: OpenedView) -> TokenSource {
    guard let head = view.context.streams.head else { return TokenSource(view: view.hash) }
    return TokenSource(view: view.hash, hasDigests: true) { head.commit() }
  }

  private mutating func addBookmark(keepsToken: Bool = false) {
    let line = encoder.bookmark(keepsToken: keepsToken)
    output.add(line, token: encoder.position.token)
    if let list { view.record(list, at: encoder.position) }
  }

  /// Adds the lines of an event.
  private mutating func add(_ event: ResultsEvent) {
    switch event {
    case .snapshot(let snapshot):
      let lines = encoder.pieces(of: snapshot)
      output.add(lines: lines, token: encoder.position.token)
      list = snapshot
      view.record(snapshot, at: encoder.position)
      output.add(snapshot.problems.map(ProblemChange.raised))
    case .step(let update, let problems):
      if let update {
        let line = encoder.pieces(of: update, time: WallClock.now())
        output.add(line, token: encoder.position.token)
        list = update.new
        view.record(update.new, at: encoder.position)
      }
      output.add(problems)
    }
  }
}
