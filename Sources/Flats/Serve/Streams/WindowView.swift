import Printing
import Store
import Streams

/// A view whose client gets the rows of a window, and a new line with all of them when the list or
/// the window changes.
struct WindowView: StreamedView {
  var output = LineQueue()
  private var view: OpenedView
  private var positions: StreamPositions
  private var window: RequestedWindow
  /// The list of the last line.
  private var list: ResultsSnapshot
  /// The window of the last line; nil before the first one.
  private var shown: ListWindow?
  private var known = KnownRows()

  /// Begins the stream of a view.
  ///
  /// - Parameter window: The window that the client asks for first.
  init(_ view: OpenedView, _ window: RequestedWindow, answering request: Int?) {
    self.view = view
    self.window = window
    view.subscription.followFolder()
    positions = StreamPositions(at: view.start.position, tokens: TokenSource(view: view.hash))
    output.add(
      StreamEncoder.hello(root: view.context.name, view: view.definition.written, since: view.start.position))
    if case .gone(let failure) = view.start { output.add(StreamEncoder.error(failure)) }
    let first = view.consumeEvent()
    list = view.subscription.given ?? view.results.snapshot
    switch first {
    case .step(let update, let problems)?: add(update, problems, answering: request)
    default:
      positions.begin(with: list)
      addLine(nil, answering: request)
      output.add(list.problems.map(ProblemChange.raised))
    }
  }

  mutating func addStep() -> Bool {
    guard let event = view.consumeEvent() else { return false }
    if case .step(let update, let problems) = event { add(update, problems) }
    return true
  }

  mutating func change(to new: RequestedView) throws(ViewMistake) -> Bool {
    guard let window = new.window else { return false }
    let parameters = new.parameters.over(view.context.base)
    if parameters == view.parameters {
      if new.namesSearch { view.results.prepareSearch() }
      self.window = window
      addLine(nil, answering: new.request)
      return true
    }
    let steps: (earlier: ResultsEvent?, snapshot: ResultsSnapshot)
    do throws(SettingsError) {
      steps = try view.results.follow(OpenedView.resolver(parameters), for: view.subscription)
    } catch {
      throw ViewMistake(error, parameter: "view", request: new.request)
    }
    if case .step(let update, let problems)? = steps.earlier { add(update, problems) }
    if new.namesSearch, list.request.search == steps.snapshot.request.search { view.results.prepareSearch() }
    view.adopt(parameters)
    positions = StreamPositions(at: positions.current, tokens: TokenSource(view: view.hash))
    positions.advance()
    list = view.subscription.given ?? steps.snapshot
    self.window = window
    addLine(
      WindowLine.Step(origin: .view, cause: .view, time: WallClock.now(), changes: nil),
      answering: new.request)
    return true
  }

  func finish() { view.finish() }

  /// Adds the lines of a step.
  private mutating func add(
    _ update: ResultsUpdate?, _ problems: [ProblemChange], answering request: Int? = nil
  ) {
    list = view.subscription.given ?? list
    guard let update else {
      addLine(nil, answering: request)
      return output.add(problems)
    }
    positions.advance()
    window = window.following(shown, in: list)
    let changes = WindowChanges(update, in: Set(ListWindow(window, of: list).ids))
    let cause = update.cause == .first ? .rescanned : update.cause
    addLine(
      WindowLine.Step(origin: update.origin, cause: cause, time: WallClock.now(), changes: changes),
      answering: request)
    output.add(problems)
  }

  /// Adds the line of the list and the window as they are now.
  private mutating func addLine(_ step: WindowLine.Step?, answering request: Int?) {
    window = window.following(shown, in: list)
    let next = ListWindow(window, of: list)
    let ids = next.ids
    let position = positions.current
    var line = WindowLine(position: position, list: list, window: next, step: step, answer: request)
    line.gone = (shown?.ids ?? []).compactMap { id in list.reasonForMissing(id).map { (id, $0) } }
    output.add(OutputPieces(1) { [line, known] _ in line.bytes(known: known) }, token: position.token)
    view.record(list, at: position)
    shown = next
    known = KnownRows(ids, of: list)
  }
}

extension ResultsSnapshot {
  /// Returns the reason why the list does not show an item; nil if it does.
  fileprivate func reasonForMissing(_ id: Item.ID) -> ResultsUpdate.DeleteReason? {
    if list.contains(id) { return nil }
    return storeItems[id.item] == nil ? .removed : .filtered
  }
}
