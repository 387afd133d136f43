import Dispatch
import Synchronization

/// A list follows its store, the settings and the clock.
extension SharedList {
  /// Updates the list with a step of the store. Steps come in their order and one at a time: from
  /// the store's worker, or, before the list is registered, from the thread that makes it.
  func update(with step: StoreStep) {
    // The clock may have been set, which no timer reports.
    if usesToday { show(.now) }
    // If `follow` set another resolver in the meantime, that one is asked.
    var answer: (request: FetchRequest?, version: Int)?
    transact { change in
      change.step = step
      guard change.settings != step.state.settings, let resolver = change.resolver else { return }
      if answer?.version != resolver.version {
        answer = (try? resolver.resolve(step.state.settings), resolver.version)
      }
      // Parts that were set in the list itself stay; so does everything if the settings no longer
      // have the view.
      guard let base = answer?.request else { return }
      change.request = change.request.rebased(from: change.base, onto: base)
      change.base = base
    }
  }

  /// Returns the problem of settings that the list cannot show, such as without its view.
  func problem(with settings: Settings, of file: SettingsFile) -> Problem? {
    do throws(SettingsError) {
      _ = try state.withLock(\.resolver)?.resolve(settings)
      return nil
    } catch {
      return file.problem(error)
    }
  }

  private var usesToday: Bool { state.withLock { $0.index.request.usesToday } }

  func scheduleMidnight() {
    let needsTimer = usesToday
    state.withLock { state in
      if needsTimer == (state.midnight != nil) { return }
      state.midnight =
        needsTimer
        ? MidnightTimer(wait: { PredicateContext.timeToMidnight }) { [weak self] in self?.show(.now) != nil }
        : nil
    }
  }

  func show(_ day: PredicateContext) {
    if state.withLock({ $0.day == day }) { return }
    transact { $0.day = day }
  }
}

/// One change of a list while it is computed: the state that it begins from, and the parts to change.
package struct ListTransaction {
  /// The numbers and the contents of the state that the change begins from.
  fileprivate let revision: Int
  fileprivate let premise: Int
  fileprivate let contents: ListContents
  package var settings: Settings { contents.source.settings }
  /// The step of the store; nil if the list shows the same state of the store as before.
  var step: StoreStep?
  package var request: FetchRequest
  package var base: FetchRequest
  package var resolver: (resolve: RequestResolver, version: Int)?
  var day: PredicateContext

  fileprivate init(_ state: SharedList.State) {
    revision = state.revision
    premise = state.premise
    contents = state.contents
    request = state.index.request
    base = state.base
    resolver = state.resolver
    day = state.day
  }

  fileprivate var callsUserCode: Bool { contents.callsUserCode(showing: request) }

  fileprivate func result(from contents: ListContents, _ memo: inout UserCodeMemo) -> (
    contents: ListContents, changes: StoreChanges
  ) {
    var contents = contents
    let changes = contents.update(with: step, showing: request, context: day, &memo)
    return (contents, changes)
  }
}

extension SharedList {
  /// Changes the list. All changes of a list are made here: steps of the store, other requests and
  /// other days.
  ///
  /// User code never runs under a lock. So `prepare` and, if there is user code for items, the
  /// computation of the contents run outside of it, from a copy of the state. Under the lock the
  /// result is installed if the state is still the same; otherwise both run again, and what was
  /// decoded is kept. A list without user code for items computes its contents under the lock; then
  /// only changes of the request make `prepare` run again.
  ///
  /// - Parameter subscription: A subscriber that gets this change as a separate step.
  /// - Returns: The step that the subscriber had not read before, and the step of this change.
  @discardableResult
  package func transact<Failure: Error>(
    answering subscription: ListSubscription? = nil,
    _ prepare: (inout ListTransaction) throws(Failure) -> Void
  ) throws(Failure) -> (earlier: ListStep?, answer: ListStep?) {
    var memo = UserCodeMemo()
    while true {
      var change = state.withLock { ListTransaction($0) }
      try prepare(&change)
      let result = change.callsUserCode ? change.result(from: change.contents, &memo) : nil
      guard let installed = state.withLock({ [change] in $0.install(change, result, subscription) }) else {
        continue
      }
      scheduleMidnight()
      if installed.isSeen { reportChange() }
      return (installed.earlier, installed.answer)
    }
  }
}

extension SharedList.State {
  /// Makes a change and offers it to the receivers. A nil `result` is computed here, without user code.
  ///
  /// - Returns: The steps, true if a snapshot shows something else, and what the list no longer uses: releasing a closure or a model may run user
  ///   code, which must not happen under the lock. Nil if the state has changed since.
  fileprivate mutating func install(
    _ change: ListTransaction, _ result: (contents: ListContents, changes: StoreChanges)?,
    _ subscription: ListSubscription?
  ) -> (earlier: ListStep?, answer: ListStep?, isSeen: Bool, unused: [any Sendable])? {
    guard premise == change.premise, result == nil || revision == change.revision else { return nil }
    let earlier = subscription?.consumeStep()
    var unused: [any Sendable] = [contents, index.request, base, resolver?.resolve]
    var memo = UserCodeMemo()
    let (newContents, changes) = result ?? change.result(from: contents, &memo)
    let isNewDay = day != change.day
    let isNewView = index.request != change.request || isNewDay
    let hasNewPremise =
      isNewView || base != change.base || resolver?.version != change.resolver?.version
      || contents.source.settings != newContents.source.settings
    base = change.base
    resolver = change.resolver
    day = change.day
    let seen = (count: index.totalCount, strings: contents.unquotedStrings)
    contents = newContents
    let differences = updateIndex(change, changes.ids, isNewView: isNewView)
    revision = SharedList.nextRevision()
    if hasNewPremise { premise = revision }
    let origin = change.step?.origin ?? (isNewDay ? .clock : .view)
    let isNew = isNewView || differences.areShown || !changes.paths.isEmpty
    let news = UnreadChanges(
      ids: isNewView ? nil : differences.touched, changes, origin: origin, cause: change.step?.cause,
      since: change.step?.since)
    unused += publish(isNew ? news : changes.isEmpty ? UnreadChanges() : news.quiet)
    let isSeen = isNew || seen.count != index.totalCount || seen.strings != contents.unquotedStrings
    return (earlier, subscription?.consumeStep(), isSeen, unused)
  }

  /// If more than one in this many items changes at once, making the index again is faster.
  private static let bulkFraction = 4

  private mutating func updateIndex(_ change: ListTransaction, _ ids: Set<Item.ID>, isNewView: Bool)
    -> ListIndex.Differences
  {
    let isPublished = contents.isPlain
    if isNewView {
      let filter = contents.filter(of: change.request, context: day)
      if ids.count > contents.state.items.count / SharedList.State.bulkFraction {
        index = ListIndex(
          contents.state, request: change.request, filter: filter, sharing: published,
          isPublished: isPublished)
      } else {
        index.show(change.request, of: contents.state, filter: filter, isPublished: isPublished)
      }
    }
    // The other lists with these contents have the same changes.
    if let step = change.step, isPublished, !isNewView {
      return index.update(step, isPublished: true)
    }
    // The items that changed in the same step may need another place.
    let step = StoreStep(state: contents.state, changes: StoreChanges(ids: ids), origin: .files)
    return index.update(step, isPublished: isPublished)
  }

  /// Offers the list to the receivers. Returns the snapshots to release outside of the lock.
  private func publish(_ changes: UnreadChanges) -> [ListSnapshot<Item>] {
    if receivers.isEmpty { return [] }
    let snapshot = snapshot
    return receivers.flatMap { $0.receiver?.offer(snapshot, changes) ?? [] }
  }
}

/// Calls a closure after each midnight, until the closure returns false or the timer is released.
///
/// It follows the wall clock, even while the machine sleeps. `Task.sleep` would use the shared
/// pool, which then wakes up the program every second (see `QueueExecutor`).
final class MidnightTimer: Sendable {
  /// One queue for the timers of all lists: a thousand lists need no thousand threads at midnight.
  /// Queue: updates the lists with `@today` when a day begins, and releases the searched texts of
  /// lists 15 seconds after the last search.
  static let queue = DispatchQueue(label: "timers of lists")
  private nonisolated(unsafe) let timer: any DispatchSourceTimer  // Any thread may use a dispatch source.

  /// Calls `body` after each `wait`, the time until the next midnight, until it returns false.
  init(wait: @escaping @Sendable () -> Duration, _ body: @escaping @Sendable () -> Bool) {
    let timer = DispatchSource.makeTimerSource(queue: MidnightTimer.queue)
    nonisolated(unsafe) let source = timer  // Any thread may use a dispatch source.
    // The source keeps its handler, and with it itself, until it is cancelled.
    timer.setEventHandler {
      guard body() else { return source.cancel() }
      MidnightTimer.schedule(source, after: wait())
    }
    MidnightTimer.schedule(timer, after: wait())
    self.timer = timer
    timer.activate()
  }

  deinit { timer.cancel() }

  private static func schedule(_ timer: any DispatchSourceTimer, after wait: Duration) {
    timer.schedule(wallDeadline: .now() + max(0, wait / .seconds(1)))
  }
}
