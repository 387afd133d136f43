import Synchronization

/// The request can be changed while the list runs. Each change is one step of origin `view`, or no
/// step if the list stays the same.
///
/// If the results follow the settings, a part that was set here survives later edits of the
/// settings, as the text of a search field should.
extension FetchedResults {
  /// The complete request. Setting it changes all parts as one step.
  public var request: FetchRequest {
    get { state.withLock { $0.index.request } }
    set { change { $0 = newValue } }
  }

  /// Changes several parts of the request as one step, with no other change in between.
  ///
  /// ```swift
  /// results.change {
  ///   $0.sort = ["-rating"]
  ///   $0.limit = 10
  /// }
  /// ```
  ///
  /// - Parameter body: Changes the request. It runs outside of all locks, so it may ask the list
  ///   and the store anything. It runs again if something else changed the request in the meantime,
  ///   so it should have no other effects.
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
        // A body that itself changes the list would run again and again. So after `maxAttempts`
        // only the parts that it changed are set.
        guard isUnchanged || attempts >= FetchedResults.maxAttempts else { return false }
        state.show(isUnchanged ? new : new.rebased(from: old, onto: state.index.request))
        return true
      }
    }
    scheduleMidnight()
  }

  /// How often a change of the request is tried against others.
  private static let maxAttempts = 100

  /// The search text. A search field may set it at each key: nothing is sorted again. A longer text
  /// tests only the items that are shown, a shorter one only the hidden ones.
  public var search: String {
    get { request.search }
    set { change { $0.search = newValue } }
  }

  /// The sort descriptors, the most important one first. Setting them costs O(n log n).
  public var sort: [ItemSortDescriptor] {
    get { request.sort }
    set { change { $0.sort = newValue } }
  }

  /// The condition that an item must meet to be shown; nil for all items.
  public var predicate: ItemPredicate? {
    get { request.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// The field that divides the list into sections; nil for a list without sections.
  public var section: SectionDescriptor? {
    get { request.section }
    set { change { $0.section = newValue } }
  }

  /// The largest number of items to show; nil for all.
  public var limit: Int? {
    get { request.limit }
    set { change { $0.limit = newValue } }
  }

  /// The number of items to leave out at the front.
  public var offset: Int {
    get { request.offset }
    set { change { $0.offset = newValue } }
  }

  /// The numbers of the items to show, for a list that scrolls; nil for all. Sets `offset` and
  /// `limit`.
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

  /// Follows the settings by another resolver. This is one step for all subscribers. One of them
  /// gets it as the answer to its request, separate from what it was not given yet.
  ///
  /// - Returns: The event that was due to the subscriber before, and the one that this caused; each
  ///   nil if nothing changed.
  /// - Throws: The error of `resolve`. Then nothing changes.
  package func follow(
    _ resolve: @escaping RequestResolver, answering subscription: ResultsSubscription
  ) throws(SettingsError) -> (earlier: ResultsEvent?, answer: ResultsEvent?) {
    // `resolve` is user code, so it runs outside of the lock. It is asked again if the settings
    // changed in the meantime.
    while true {
      let settings = state.withLock(\.store.settings)
      let base = try resolve(settings)
      // A resolver that is no longer used is released after the lock.
      let replaced = state.withLock { state -> Followed? in
        guard state.store.settings == settings else { return nil }
        let earlier = subscription.consumeStep()
        let old = state.resolver
        state.resolver = NumberedResolver(resolve: resolve, version: (old?.version ?? 0) + 1)
        let request = state.index.request.rebased(from: state.base, onto: base)
        state.base = base
        state.show(request)
        return Followed(old: old, earlier: earlier, answer: subscription.consumeStep())
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
