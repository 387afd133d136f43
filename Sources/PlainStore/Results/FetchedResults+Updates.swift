import Synchronization

/// A list follows its store, the settings and the clock.
extension FetchedResults {
  /// Updates the list with a step of the store. Steps come in their order and one at a time: from
  /// the store's worker, or, before the list is registered, from the thread that makes it.
  func update(with step: StoreStep) {
    let step = decoded?.update(with: step) ?? step
    // The clock may have been set, which no timer reports.
    if usesToday { _ = updateDay() }
    // The resolver is user code, so it runs outside of the lock. If `follow` set another one in the
    // meantime, that one is asked.
    var answer: ResolverAnswer?
    while let question = state.withLock({ $0.update(with: step, answer) }) {
      answer = ResolverAnswer(request: try? question.resolve(step.state.settings), version: question.version)
    }
    scheduleMidnight()
  }

  /// Throws if the list cannot be shown with these settings.
  func check(_ settings: Settings, of file: SettingsFile) throws(Problem) {
    do throws(SettingsError) {
      _ = try state.withLock(\.resolver)?.resolve(settings)
    } catch {
      throw file.problem(error)
    }
  }

  private var usesToday: Bool { state.withLock { $0.index.request.predicate?.usesToday ?? false } }

  /// Sets one timer if the request asks for `@today`, and none if it does not.
  func scheduleMidnight() {
    let needsTimer = usesToday
    state.withLock { state in
      if needsTimer == (state.midnight != nil) { return }
      state.midnight?.cancel()
      state.midnight =
        needsTimer ? Task { [weak self] in await FetchedResults.followDays { [weak self] in self?.updateDay() ?? false } } : nil
    }
  }

  /// Calls `body` after each midnight until it returns false.
  private static func followDays(_ body: @Sendable () -> Bool) async {
    while !Task.isCancelled {
      let wait = PredicateContext.timeToMidnight
      guard (try? await Task.sleep(for: wait, clock: .continuous)) != nil, body() else { return }
    }
  }

  /// Shows the list of another day, if the day has changed.
  ///
  /// - Returns: True, so that an expression over a weak reference is false once the list is gone.
  private func updateDay() -> Bool {
    state.withLock { state in
      let today = PredicateContext.now
      if today != state.day {
        state.day = today
        state.index.show(state.index.request, of: state.store, context: today)
        state.publish(UnreadChanges(ids: nil, origin: .clock))
      }
    }
    return true
  }
}

/// A request resolver, and how many there were before it in its list.
struct NumberedResolver {
  let resolve: RequestResolver
  let version: Int
}

/// The request that a resolver returned; nil if it threw.
private struct ResolverAnswer {
  let request: FetchRequest?
  let version: Int
}

extension FetchedResults.State {
  /// Updates the list with a step, unless the step has other settings and the list's resolver has
  /// to be asked first.
  ///
  /// - Returns: The resolver to ask; nil if the list was updated.
  fileprivate mutating func update(with step: StoreStep, _ answer: ResolverAnswer?) -> NumberedResolver? {
    let hasNewSettings = store.settings != step.state.settings
    if hasNewSettings, let resolver, resolver.version != answer?.version { return resolver }
    store = step.state
    if hasNewSettings, let request = rebasedRequest(answer), request != index.request {
      index.show(request, of: store, context: day)
      // The items that changed in the same step may need another place.
      _ = index.update(step.changes.ids, of: store)
      publish(UnreadChanges(ids: nil, step.changes, origin: step.origin, since: step.since))
    } else if !step.changes.isEmpty {
      let ids = index.update(step.changes.ids, of: store)
      publish(UnreadChanges(ids: ids, step.changes, origin: step.origin, since: step.since))
    }
    return nil
  }

  /// The request that the settings ask for now, except for parts that were set in the list itself.
  /// Nil if the request does not depend on the settings, or if they no longer have its view.
  private mutating func rebasedRequest(_ answer: ResolverAnswer?) -> FetchRequest? {
    guard let new = answer?.request else { return nil }
    defer { base = new }
    return index.request.rebased(from: base, onto: new)
  }
}
