import Files
import Sinks
import Store
import Synchronization

/// The list of the page that was asked for last. It is made while the browser loads the page, and
/// kept until the page had time to open it, which then shares its rows.
final class PreparedList: Sendable {
  private struct State {
    var results: FetchedResults?
    /// Forgets the list; nil while there is none.
    var end: Alarm?
    var isPreparing = false
  }

  /// Lock: guards the list that a page will open. Nothing else is locked under it.
  private let state = Mutex(State())
  private let executor: QueueExecutor

  private static let time = Duration.seconds(5)

  init(on executor: QueueExecutor) { self.executor = executor }

  var request: FetchRequest? { state.withLock { $0.results }?.request }

  /// Makes the list of a view in the background, unless one is being made.
  func prepare(_ parameters: ViewParameters, of store: ItemStore) {
    let isBusy = state.withLock { state in
      defer { state.isPreparing = true }
      return state.isPreparing
    }
    if isBusy { return }
    Task(executorPreference: executor) { [weak self] in
      // The page shows a mistake in the view.
      let results = try? store.results(OpenedView.resolver(parameters))
      self?.replace(
        with: results,
        until: Alarm(after: PreparedList.time) { [weak self] in self?.replace(with: nil, until: nil) })
    }
  }

  /// Keeps another list. The last one is released outside of the lock.
  private func replace(with results: FetchedResults?, until end: Alarm?) {
    let last = state.withLock { state in
      defer { state = State(results: results, end: end, isPreparing: end == nil && state.isPreparing) }
      return (state.results, state.end)
    }
    withExtendedLifetime(last) {}
  }
}
