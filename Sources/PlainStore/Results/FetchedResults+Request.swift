import Synchronization

/// What is shown can be changed while the list runs. Each of these is one step of origin `view`, or none where the list stays the same.
///
/// Of results that follow the settings, a part that was set here stays through later edits of them, as the search text of a search field should.
extension FetchedResults {
  /// All of it: for several parts at once, as one step.
  public var request: FetchRequest {
    get { state.withLock { $0.index.request } }
    set { change { $0 = newValue } }
  }

  /// Changes several parts as one step, with no other change in between. `body` must not ask the results: they are locked while it runs.
  ///
  /// ```swift
  /// results.change {
  ///   $0.sort = ["-rating"]
  ///   $0.limit = 10
  /// }
  /// ```
  public func change(_ body: (inout FetchRequest) -> Void) {
    state.withLock { state in
      var request = state.index.request
      body(&request)
      state.show(request)
    }
    waitForMidnight()
  }

  /// The search text. Setting it, as a search field does at every key, sorts nothing; a longer text asks only the items that are shown, a shorter one only the others.
  public var search: String {
    get { request.search }
    set { change { $0.search = newValue } }
  }

  public var sort: [ItemSortDescriptor] {
    get { request.sort }
    set { change { $0.sort = newValue } }
  }

  public var predicate: ItemPredicate? {
    get { request.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// How the list is cut into sections.
  public var section: SectionDescriptor? {
    get { request.section }
    set { change { $0.section = newValue } }
  }

  /// At most so many items; nil for all.
  public var limit: Int? {
    get { request.limit }
    set { change { $0.limit = newValue } }
  }

  /// So many items are left out at the front.
  public var offset: Int {
    get { request.offset }
    set { change { $0.offset = newValue } }
  }

  /// The window by the numbers of its items, for a list that scrolls; nil for all.
  ///
  /// ```swift
  /// results.window = 20..<40  // offset 20, limit 20
  /// ```
  public var window: Range<Int>? {
    get { request.hasWindow ? request.window : nil }
    set {
      change {
        $0.offset = newValue?.lowerBound ?? 0
        $0.limit = newValue?.count
      }
    }
  }

  /// Follows the settings in another way. One step for all subscribers, and for one of them apart from what it was not given yet.
  ///
  /// - Returns: what the subscriber was still to be told before, and what this did; each nil where that is nothing.
  /// - Throws: what `resolve` throws; then nothing changes.
  package func follow(
    _ resolve: @escaping RequestResolver, answering subscription: ResultsSubscription
  ) throws(SettingsError) -> (earlier: ResultsEvent?, answer: ResultsEvent?) {
    let steps = try state.withLock { state throws(SettingsError) in
      let base = try resolve(state.store.settings)
      let earlier = subscription.takeStep()
      state.resolve = resolve
      let request = state.index.request.rebased(from: state.base, onto: base)
      state.base = base
      state.show(request)
      return (earlier: earlier, answer: subscription.takeStep())
    }
    waitForMidnight()
    return (steps.earlier?.event, steps.answer?.event)
  }
}
