import Git
import Printing
import Store
import Streams

/// A view whose client gets the complete list and every change of it: the lines of the stream, version 1.
struct LineView: StreamedView {
  private var view: OpenedView
  private var writer: StreamWriter
  /// The warnings that the client was sent and that still hold.
  private var warnings: [Hint] = []
  /// The view as control lines change it.
  private var controlled: ControlledView

  var output: LineQueue {
    get { writer.lines }
    set { writer.lines = newValue }
  }

  init(_ view: OpenedView) {
    self.view = view
    let name = view.parameters.name
    let base = view.context.base
    controlled = ControlledView(view.parameters.own) { own in
      ViewParameters(name: name, own: own).over(base).resolver()
    }
    writer = StreamWriter(
      view.start, root: view.context.name, tokens: LineView.tokens(view), clock: WallClock.now)
    view.subscription.followFolder()
    writer.begin(view: view.definition.written, view.consumeEvent())
    finishStep()
  }

  mutating func addStep() -> Bool {
    guard let event = view.consumeEvent() else { return false }
    writer.add(event)
    finishStep()
    return true
  }

  /// Keeps the position, and adds the warnings that are new in the list that the client has.
  private mutating func finishStep() {
    if let list = writer.list { view.record(list, at: writer.position) }
    let known = warnings
    warnings = view.subscription.given?.warnings ?? []
    writer.add(warnings: warnings, besides: known)
  }

  mutating func change(to new: RequestedView) throws(ProblemDocument) -> Bool {
    if new.window != nil { return false }
    let parameters = new.parameters.over(view.context.base)
    let steps: (earlier: ListEvent?, answer: ListEvent?)
    do throws(SettingsError) {
      steps = try view.results.follow(OpenedView.resolver(parameters), answering: view.subscription)
    } catch {
      throw ProblemDocument.badView(error, parameter: "view")
    }
    if let earlier = steps.earlier { writer.add(earlier) }
    view.adopt(parameters)
    writer.replaceTokens(LineView.tokens(view))
    if let answer = steps.answer { writer.add(answer) } else { writer.addBookmark() }
    finishStep()
    return true
  }

  mutating func answer(_ line: ControlLine) {
    _ = writer.answer(line, changing: &controlled, of: view.results, to: view.subscription)
    finishStep()
  }

  func finish() { view.finish() }

  private static func tokens(_ view: OpenedView) -> TokenSource {
    TokenSource(view: view.hash, at: view.context.streams.head)
  }
}
