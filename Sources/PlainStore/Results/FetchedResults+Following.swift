import Synchronization

/// How a list follows its store, the settings and the clock.
extension FetchedResults {
  /// A step of the store. Called in their order, by one task at a time.
  func take(_ step: StoreStep) {
    let step = decoded?.pass(step) ?? step
    // The clock may have been set, which no timer tells.
    if usesToday { _ = lookAtDay() }
    state.withLock { state in
      let settingsChanged = state.store.settings != step.state.settings
      state.store = step.state
      if settingsChanged, let request = state.requestOfSettings(), request != state.index.request {
        state.index.show(request, of: state.store, context: state.day)
        // The items that changed in the same step may need another place.
        _ = state.index.take(step.changes.ids, of: state.store)
        state.publish(Touched(ids: nil, step.changes, origin: step.origin, since: step.since))
      } else if !step.changes.isEmpty {
        let ids = state.index.take(step.changes.ids, of: state.store)
        state.publish(Touched(ids: ids, step.changes, origin: step.origin, since: step.since))
      }
    }
    waitForMidnight()
  }

  /// Whether these settings would do.
  func check(_ settings: Settings, of file: SettingsFile) throws(Problem) {
    do throws(SettingsError) {
      _ = try state.withLock { $0.resolve }?(settings)
    } catch {
      throw file.problem(error)
    }
  }

  private var usesToday: Bool { state.withLock { $0.index.request.predicate?.usesToday ?? false } }

  /// Sets one timer where the request asks for `@today`, and none where it does not.
  func waitForMidnight() {
    let needsTimer = usesToday
    state.withLock { state in
      if needsTimer == (state.midnight != nil) { return }
      state.midnight?.cancel()
      state.midnight =
        needsTimer ? Task { [weak self] in await FetchedResults.followDays { [weak self] in self?.lookAtDay() ?? false } } : nil
    }
  }

  /// Calls `body` after each midnight until it answers false.
  private static func followDays(_ body: @Sendable () -> Bool) async {
    while !Task.isCancelled {
      let wait = PredicateContext.timeToMidnight
      guard (try? await Task.sleep(for: wait, clock: .continuous)) != nil, body() else { return }
    }
  }

  /// False when nobody is there any more.
  private func lookAtDay() -> Bool {
    state.withLock { state in
      let today = PredicateContext.now
      if today != state.day {
        state.day = today
        state.index.show(state.index.request, of: state.store, context: today)
        state.publish(Touched(ids: nil, origin: .clock))
      }
    }
    return true
  }
}

extension FetchedResults.State {
  /// What the settings ask for now, with what was set otherwise kept. Nil where the request does not depend on them.
  fileprivate mutating func requestOfSettings() -> FetchRequest? {
    // Whether the settings can be shown was asked before they were taken on.
    guard let resolve, let new = try? resolve(store.settings) else { return nil }
    defer { base = new }
    return index.request.rebased(from: base, onto: new)
  }
}
