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

  /// Changes several parts of the request as one step, with no other change in between.
  ///
  /// ```swift
  /// results.change {
  ///   $0.sort = [ItemSortDescriptor("-rating")!]
  ///   $0.limit = 10
  /// }
  /// ```
  ///
  /// - Parameter body: Changes the request. It runs outside of all locks, so it may ask the list and
  ///   the store anything. It runs again if something else changed the request meanwhile; so it
  ///   should have no other effects.
  public func change(_ body: (inout FetchRequest) -> Void) {
    var attempts = 0
    var isDone = false
    while !isDone {
      let old = request
      var new = old
      body(&new)
      attempts += 1
      isDone = state.withLock { state in
        let isUnchanged = state.index.request == old
        // Each of its own changes would make a body run again that changes the list, too; so at some
        // point only the parts that it changed are set.
        guard isUnchanged || attempts >= FetchedResults.maxAttempts else { return false }
        state.show(isUnchanged ? new : new.rebased(from: old, onto: state.index.request))
        return true
      }
    }
    scheduleMidnight()
  }

  /// How often a change of the request is tried against others.
  private static let maxAttempts = 100

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
    // `resolve` is the caller's code, so it runs outside of the lock; it is asked again if the
    // settings changed meanwhile.
    while true {
      let settings = state.withLock(\.store.settings)
      let base = try resolve(settings)
      // A resolver that is no longer used is released after the lock.
      let replaced = state.withLock { state -> Followed? in
        guard state.store.settings == settings else { return nil }
        let earlier = subscription.takeStep()
        let old = state.resolver
        state.resolver = NumberedResolver(resolve: resolve, version: (old?.version ?? 0) + 1)
        let request = state.index.request.rebased(from: state.base, onto: base)
        state.base = base
        state.show(request)
        return Followed(old: old, earlier: earlier, answer: subscription.takeStep())
      }
      guard let replaced else { continue }
      scheduleMidnight()
      return (replaced.earlier?.event, replaced.answer?.event)
    }
  }

  private struct Followed {
    let old: NumberedResolver?
    let earlier: ResultsStep?
    let answer: ResultsStep?
  }
}
