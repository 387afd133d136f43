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
  private var list: ListSnapshot<Item>
  /// The window of the last line, whose values the client has; nil before the first one.
  private var shown: ListWindow?
  private var columns = ColumnChoice()

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
      addLine(answering: request)
      output.add(list.problems.map(ProblemChange.raised))
    }
  }

  mutating func addStep() -> Bool {
    guard let event = view.consumeEvent() else { return false }
    if case .step(let update, let problems) = event { add(update, problems) }
    return true
  }

  mutating func change(to new: RequestedView) throws(ProblemDocument) -> Bool {
    guard let window = new.window else { return false }
    let parameters = new.parameters.over(view.context.base)
    if parameters == view.parameters {
      if new.namesSearch { view.results.prepareSearch() }
      self.window = window
      addLine(answering: new.request)
      return true
    }
    let steps: (earlier: ListEvent?, snapshot: ListSnapshot<Item>)
    do throws(SettingsError) {
      steps = try view.results.follow(OpenedView.resolver(parameters), for: view.subscription)
    } catch {
      throw ProblemDocument.badView(error, parameter: "view")
    }
    if case .step(let update, let problems)? = steps.earlier { add(update, problems) }
    let request = steps.snapshot.request
    if new.namesSearch, list.request.search == request.search, list.request.query == request.query {
      view.results.prepareSearch()
    }
    view.adopt(parameters)
    positions = StreamPositions(at: positions.current, tokens: TokenSource(view: view.hash))
    positions.advance()
    list = view.subscription.given ?? steps.snapshot
    self.window = window
    addLine(WindowLine.Step(origin: .view, cause: .view), answering: new.request)
    return true
  }

  func finish() { view.finish() }

  private mutating func add(
    _ update: ListUpdate<Item>?, _ problems: [ProblemChange], answering request: Int? = nil
  ) {
    list = view.subscription.given ?? list
    if let update {
      positions.advance()
      let cause = update.cause == .first ? .rescanned : update.cause
      addLine(WindowLine.Step(origin: update.origin, cause: cause), update, answering: request)
    } else {
      addLine(answering: request)
    }
    output.add(problems)
  }

  /// Adds the line of the list and the window as they are now.
  private mutating func addLine(
    _ step: WindowLine.Step? = nil, _ update: ListUpdate<Item>? = nil, answering request: Int?
  ) {
    window = window.following(shown, in: list)
    let next = ListWindow(window, of: list)
    let position = positions.current
    let old = columns.columns
    _ = columns.update(for: list, showing: next.shownItems)
    // A shortened value of the last line may lack a column of this one.
    let known = columns.columns == old ? shown : nil
    var line = WindowLine(
      position: position, list: list, window: next, columns: columns.columns, step: step,
      answer: request)
    if let update { line.count(update) }
    line.gone = (shown?.ids ?? []).compactMap { id in list.reasonForMissing(id).map { (id, $0) } }
    output.add(OutputPieces(1) { [line] _ in line.bytes(after: known) }, token: position.token)
    view.record(list, at: position)
    shown = next
  }
}

extension ListSnapshot<Item> {
  /// Returns the reason why the list does not show an item; nil if it does.
  fileprivate func reasonForMissing(_ id: Item.ID) -> DeleteReason? {
    if list.contains(id) { return nil }
    return storeItems[id.item] == nil ? .removed : .filtered
  }
}
