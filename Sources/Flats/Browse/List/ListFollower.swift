package import Store
import Synchronization

/// Opens a store, follows one of its lists, and gives the loop of a screen what it has to show.
///
/// Everything that takes time runs on the queue of the follower: opening, each change of the request,
/// the comparison of lists, reading a document, and actions. No call of the loop waits for it.
///
/// ```swift
/// let follower = ListFollower(source) { loop.wake() }
/// follower.start()
/// for event in try follower.takeEvents() { screen.handle(event, at: .now) }
/// ```
///
/// One lock guards the state. Nothing else is locked while it is held.
package final class ListFollower: Sendable {
  struct State {
    var list: OpenedList?
    var settings: Settings?
    var pending = PendingRequest()
    /// The row whose document was asked for last and is not read yet.
    var wanted: ScreenRow?
    var loaded: ScreenRow?
    var following: Task<Void, Never>?
    var lastAction: Task<Void, Never>?
    var news = News()
  }

  private let source: ListSource
  let wake: @Sendable () -> Void
  /// Lock: guards the open list, what was asked for and has not begun, and the news that the
  /// loop has not fetched yet. `wake` is called outside of it.
  let state = Mutex(State())
  /// Queue: opens the store, changes the request of the list, compares lists, reads the file of the
  /// item at the cursor, prepares actions. Blocks in file calls; it is free while a save is awaited.
  private let queue = QueueExecutor("list")

  /// Creates a follower, which does nothing before `start()`.
  ///
  /// - Parameter wake: Called on any thread, under no lock, when `takeEvents()` has something to return.
  package init(_ source: ListSource, wake: @escaping @Sendable () -> Void) {
    self.source = source
    self.wake = wake
  }

  /// The store; nil while it is opened.
  package var store: ItemStore? { state.withLock { $0.list?.store } }

  /// Opens the store and begins to follow its list. Returns at once. Call it once.
  package func start() {
    let task = Task(executorPreference: queue) { await self.follow() }
    state.withLock { $0.following = task }
  }

  /// Changes the request. Only the newest of several changes of one part is made.
  package func change(_ change: RequestChange) {
    let isFirst = state.withLock { state in
      defer { state.pending.add(change) }
      return state.pending.isEmpty
    }
    if isFirst { queue.perform { [weak self] in self?.applyPending() } }
  }

  /// Reads the file of a row, now and whenever its item changes, until another one is asked for. Only
  /// the newest of several is read.
  package func load(_ row: ScreenRow) {
    let isFirst = state.withLock { state in
      defer { state.wanted = row }
      return state.wanted == nil
    }
    if isFirst { queue.perform { [weak self] in self?.loadWanted() } }
  }

  /// Performs an action after those before it. Each that was asked for is completed.
  package func perform(_ action: ItemAction) {
    guard let perform = list?.perform else {
      // The queue is busy until the list is open.
      var outcome = ActionOutcome("The list is not open yet.", isFailure: true)
      outcome.action = action
      return report(outcome)
    }
    state.withLock { state in
      let last = state.lastAction
      state.lastAction = Task(executorPreference: queue) {
        await last?.value
        var outcome = await perform(action)
        outcome.action = action
        self.report(outcome)
      }
    }
  }

  /// Puts an outcome among the events, such as one of the editor. After a failure the list is
  /// reported again, so that the next action is based on the newest state of the items.
  func report(_ outcome: ActionOutcome) {
    put(outcome)
    if outcome.isFailure { reportAgain() }
  }

  /// Waits until all actions that were asked for are completed. Call it before the program ends.
  package func finishActions() async { await state.withLock(\.lastAction)?.value }

  /// Ends following. An action that was begun is completed.
  package func stop() {
    state.withLock { exchange(&$0.following, with: nil) }?.cancel()
    dropReports()
  }

  private var list: OpenedList? { state.withLock(\.list) }

  private func follow() async {
    let list: OpenedList
    do {
      list = try OpenedList(source, options: options) { [weak self] in self?.reportNewSettings() }
    } catch {
      return put(error)
    }
    state.withLock { $0.list = list }
    list.subscription.followFolder()
    applyPending()
    var isFirst = true
    while !Task.isCancelled {
      await reportsTaken()
      guard let event = await list.subscription.next() else { return }
      put(list.report(event))
      for report in list.reportsOfNewMatches() { put(report) }
      reportSlowPredicate(of: list)
      guard isFirst else { continue }
      isFirst = false
      for notice in source.notices(list.store) { put(ActionOutcome(notice)) }
      reportHints(about: list)
    }
  }

  /// An empty list has its hints in its report. A column without values is visible, and a warning stays on
  /// the screen: neither needs a hint.
  private func reportHints(about list: OpenedList) {
    let snapshot = list.results.snapshot
    if snapshot.isEmpty { return }
    for hint in snapshot.otherHints where !snapshot.request.fields.contains(where: { $0 == hint.field }) {
      put(ActionOutcome("Hint: \(hint)"))
    }
  }

  /// Reports, once, that a predicate took too long for some items.
  private func reportSlowPredicate(of list: OpenedList) {
    if let hint = list.results.request.predicate?.consumeHint() {
      put(ActionOutcome("Hint: \(hint)", isFailure: true))
    }
  }

  private var options: StoreOptions {
    var options = source.options
    let onProgress = options.onProgress
    let onItemsRead = options.onItemsRead
    let onNotice = options.watch.onNotice
    options.onProgress = { [weak self] count in
      onProgress(count)
      self?.put(filesRead: count)
    }
    options.onItemsRead = { [weak self] ids in
      onItemsRead(ids)
      self?.reload(ifIn: ids)
    }
    options.watch.onNotice = { [weak self] notice in
      onNotice(notice)
      let isBad = notice.code == .rootGone || notice.code == .polling
      self?.put(ActionOutcome(notice.description, isFailure: isBad))
      self?.reportAgain()
    }
    return options
  }

  private func applyPending() {
    let (list, pending) = state.withLock { state in
      (state.list, state.list == nil ? PendingRequest() : exchange(&state.pending, with: PendingRequest()))
    }
    guard var list, !pending.isEmpty else { return }
    let isSameSearch = pending.search == list.results.request.typedSearch
    let (reports, error) = list.change(pending)
    state.withLock { [list] in $0.list = list }
    for report in reports { put(report) }
    reportSlowPredicate(of: list)
    if pending.choosesFields, error == nil { reportHints(about: list) }
    if isSameSearch { list.results.prepareSearch() }
    if let error { report(ActionOutcome("\(error)", isFailure: true)) }
  }

  private func reportAgain() {
    queue.perform { [weak self] in
      guard let self, let list else { return }
      put(list.report(list.results.snapshot, nil))
    }
  }

  /// Reads the file that was read last again, if it is one of these and no other one is asked for.
  private func reload(ifIn ids: Set<Item.ID>) {
    let isAsked = state.withLock { state in
      guard state.wanted == nil, let row = state.loaded, let id = row.item, ids.contains(id.item) else {
        return false
      }
      state.wanted = row
      return true
    }
    if isAsked { queue.perform { [weak self] in self?.loadWanted() } }
  }

  private func reportNewSettings() {
    queue.perform { [weak self] in
      guard let self, let list, let known = state.withLock(\.settings), list.store.settings != known else {
        return
      }
      put(list.report(list.results.snapshot, nil))
    }
  }

  private func loadWanted() {
    let (list, row) = state.withLock { state in
      state.loaded = state.wanted ?? state.loaded
      return (state.list, exchange(&state.wanted, with: nil))
    }
    guard let list, let row else { return }
    put(ItemDocument(row, in: list.store))
  }
}
