import Files
import Folder
import Query
import Synchronization

/// A list follows its store, the settings and the clock.
extension FetchedResults {
  /// Updates the list with a step of the store. Steps come in their order and one at a time: from
  /// the store's worker, or, before the list is registered, from the thread that makes it.
  func update(with step: StoreStep) {
    // The clock may have been set, which no timer reports.
    if usesToday { show(.now) }
    // If `follow` set another resolver in the meantime, that one is asked.
    var answer: ResolverAnswer?
    transact { change in
      change.step = step
      guard change.settings != step.state.settings, let resolver = change.resolver else { return }
      if answer?.version != resolver.version {
        answer = ResolverAnswer(
          request: try? resolver.resolve(step.state.settings), version: resolver.version)
      }
      // Parts that were set in the list itself stay; so does everything if the settings no longer
      // have the view.
      guard let base = answer?.request else { return }
      change.request = change.request.rebased(from: change.base, onto: base)
      change.base = base
    }
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
      state.midnight =
        needsTimer
        ? MidnightTimer(wait: { PredicateContext.timeToMidnight }) { [weak self] in self?.show(.now) != nil }
        : nil
    }
  }

  /// Shows the list of a day, if it is a different one.
  func show(_ day: PredicateContext) {
    if state.withLock({ $0.day == day }) { return }
    transact { $0.day = day }
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
