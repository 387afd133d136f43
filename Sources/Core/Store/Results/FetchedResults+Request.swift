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
  /// - Parameter body: Changes the request. It runs outside of all locks, so it may ask the list and the
  ///   store anything. It runs again if something else changed the request in the meantime, so it should have
  ///   no other effects; if it changes the request of this list in another way each time, that never ends.
  public func change(_ body: (inout FetchRequest) -> Void) {
    change(answering: nil, body)
  }

  /// Changes the request for one subscriber that needs no difference for its own change, such as a
  /// screen that draws the visible rows.
  ///
  /// The change counts as given to this subscriber. For all others it is a step of origin `view`.
  ///
  /// ```swift
  /// let (earlier, snapshot) = results.change(for: subscription) { $0.search = "re" }
  /// ```
  ///
  /// - Parameter body: Changes the request, as in ``change(_:)``.
  /// - Returns: The event that the subscriber was due before the change, nil if there was none; and the
  ///   list after the change, without a comparison of the lists.
  public func change(
    for subscription: ResultsSubscription, _ body: (inout FetchRequest) -> Void
  ) -> (earlier: ResultsEvent?, snapshot: ResultsSnapshot) {
    let steps = change(answering: subscription, body)
    return (steps.earlier?.event, steps.answer?.new ?? snapshot)
  }

  @discardableResult
  private func change(
    answering subscription: ResultsSubscription?, _ body: (inout FetchRequest) -> Void
  ) -> (earlier: ResultsStep?, answer: ResultsStep?) {
    var last: (old: FetchRequest, new: FetchRequest)?
    return transact(answering: subscription) { change in
      let old = change.request
      if let last, last.old == old {
        change.request = last.new
      } else {
        body(&change.request)
        last = (old, change.request)
      }
    }
  }

  /// The search text. A search field may set it at each key: nothing is sorted again. A longer text
  /// tests only the items that are shown, a shorter one only the hidden ones.
  public var search: String {
    get { request.search }
    set { change { $0.search = newValue } }
  }

  /// Prepares what a search reads, so that the first key costs no more than the others. Call it when a search
  /// field gets the focus. O(n) on several threads; it is released 15 seconds after the last search.
  public func prepareSearch() {
    state.withLock(\.index).prepareSearch()
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

  /// The folder whose items are listed, with those below it; nil for all items.
  public var folder: RelativePath? {
    get { request.folder }
    set { change { $0.folder = newValue } }
  }

  /// The rule that divides the list into sections; nil for a list without sections.
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
  /// `limit`. Numbers below 0 do not count: `-2..<2` is `0..<2`.
  ///
  /// ```swift
  /// results.window = 20..<40  // offset 20, limit 20
  /// ```
  public var window: Range<Int>? {
    get { request.hasWindow ? request.window : nil }
    set {
      change {
        let window = newValue.map { max(0, $0.lowerBound)..<max(0, $0.upperBound) }
        $0.offset = window?.lowerBound ?? 0
        $0.limit = window?.count
      }
    }
  }

  /// Follows the settings by another resolver, in one step for all subscribers. One of them gets it as the
  /// answer to its request, separate from what it was not given yet.
  ///
  /// - Returns: The event that was due to the subscriber before, and the one that this caused; nil for none.
  /// - Throws: The error of `resolve`. Then nothing changes.
  package func follow(
    _ resolve: @escaping RequestResolver, answering subscription: ResultsSubscription
  ) throws(SettingsError) -> (earlier: ResultsEvent?, answer: ResultsEvent?) {
    let steps = try follow(resolve, subscription) { request, old, new in request.rebased(from: old, onto: new)
    }
    return (steps.earlier?.event, steps.answer?.event)
  }

  /// Follows the settings by another resolver, for one subscriber that needs no difference for a
  /// change of its own: what choosing another view does.
  ///
  /// Each part of the request becomes that of the resolver, except a search text that was set in the list.
  /// The change counts as given to this subscriber. For all others it is a step of origin `view`.
  ///
  /// - Parameter request: Returns the request to show, now and each time the settings change.
  /// - Returns: As ``change(for:_:)``.
  /// - Throws: The error of `request`. Then nothing changes.
  public func follow(
    _ request: @escaping RequestResolver, for subscription: ResultsSubscription
  ) throws(SettingsError) -> (earlier: ResultsEvent?, snapshot: ResultsSnapshot) {
    let steps = try follow(request, subscription) { request, old, new in
      var result = new
      if request.search != old.search { result.search = request.search }
      return result
    }
    return (steps.earlier?.event, steps.answer?.new ?? snapshot)
  }

  /// - Parameter combine: Makes the new request of the current one, its base, and the new base.
  private func follow(
    _ resolve: @escaping RequestResolver, _ subscription: ResultsSubscription,
    _ combine: (FetchRequest, FetchRequest, FetchRequest) -> FetchRequest
  ) throws(SettingsError) -> (earlier: ResultsStep?, answer: ResultsStep?) {
    // It is asked again only if the settings changed in the meantime.
    var last: (settings: Settings, base: FetchRequest)?
    return try transact(answering: subscription) { change throws(SettingsError) in
      let base =
        if let last, last.settings == change.settings { last.base } else { try resolve(change.settings) }
      last = (change.settings, base)
      change.resolver = (resolve, (change.resolver?.version ?? 0) + 1)
      change.request = combine(change.request, change.base, base)
      change.base = base
    }
  }
}
