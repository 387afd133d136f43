import Git
import Store
import Streams

/// The live list of one view of a stream, and the position of its client.
struct OpenedView {
  let context: WebContext
  /// The view, with what the command line gives.
  private(set) var parameters: ViewParameters
  /// The hash of the view in tokens.
  private(set) var hash: String
  let results: LiveList<Item>
  /// The position from which the stream continues, if it does.
  let start: StreamStart
  let subscription: ListSubscription
  /// The number under which positions of the view are kept.
  private let number: UInt64
  private let observer: StepObserver

  /// Opens a view, which takes as long as the list is large. `wakeup` is signalled when the list has a step.
  init(_ view: RequestedView, _ context: WebContext, on executor: QueueExecutor, waking wakeup: Wakeup)
    async throws(ProblemDocument)
  {
    self.context = context
    parameters = view.parameters.over(context.base)
    let resolve = OpenedView.resolver(parameters)
    do throws(SettingsError) {
      results = try context.store.list(resolve)
    } catch {
      throw ProblemDocument.badView(error, parameter: "view")
    }
    let streams = context.streams
    hash = context.identity(of: parameters).hash
    start = await StreamStart.find(
      view.since, among: streams.positions, in: context.path, view: hash,
      on: context.queues.resuming, waitingAtMost: context.options.resumingTimeout,
      committedList: RevisionList.committed(in: context.path, context.store.options, resolving: resolve))
    subscription = start.subscription(to: results)
    number = streams.nextNumber()
    observer = StepObserver(subscription, on: executor, waking: wakeup)
    streams.positions.begin(number, in: context.path, view: hash)
    if case .resumed(let list, let position) = start { record(list, at: position) }
  }

  /// The definition of the view, as `hello` has it.
  var definition: ViewDefinition { (try? parameters.resolver()(context.store.settings)) ?? parameters.own }

  /// Keeps a position, from which a client can continue.
  func record(_ list: ListSnapshot<Item>, at position: StreamPosition) {
    context.streams.positions.record(number, list, at: position)
  }

  func consumeEvent() -> ListEvent? {
    if let event = subscription.consumeEvent() { return event }
    observer.observeNext()
    return nil
  }

  static func resolver(_ parameters: ViewParameters) -> RequestResolver {
    let resolve = parameters.resolver()
    return { settings throws(SettingsError) in try resolve(settings).request }
  }

  mutating func adopt(_ parameters: ViewParameters) {
    self.parameters = parameters
    hash = context.identity(of: parameters).hash
    context.streams.positions.end(number)
    context.streams.positions.begin(number, in: context.path, view: hash)
  }

  func finish() {
    observer.finish()
    context.streams.positions.end(number)
  }
}

extension WebContext {
  fileprivate func identity(of view: ViewParameters) -> ViewIdentity {
    ViewIdentity(view: view.name, overriddenBy: view.own, idField: idField, maxSize: maxSize)
  }
}
