import Synchronization

/// The request can be changed while the list runs. Each change is one update whose cause is `view`, or no
/// step if the list stays the same.
///
/// If the list follows the settings, a part that was set here survives later edits of the
/// settings, as the text of a search field should.
extension LiveList {
  /// The complete request. Setting it changes all parts as one step.
  public var request: FetchRequest {
    get { shared.snapshot.request }
    set { change { $0 = newValue } }
  }

  /// Changes several parts of the request as one step, with no other change in between.
  ///
  /// ```swift
  /// list.change {
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
  /// let (earlier, snapshot) = list.change(for: subscription) { $0.search = "re" }
  /// ```
  ///
  /// - Parameter body: Changes the request, as in ``change(_:)``.
  /// - Returns: The event that the subscriber was due before the change, nil if there was none; and the
  ///   list after the change, without a comparison of the lists.
  package func change(
    for subscription: ListSubscription, _ body: (inout FetchRequest) -> Void
  ) -> (earlier: ListEvent?, snapshot: ListSnapshot<Item>) {
    let steps = change(answering: subscription, body)
    return (steps.earlier?.event, steps.answer?.new ?? shared.snapshot)
  }

  @discardableResult
  private func change(
    answering subscription: ListSubscription?, _ body: (inout FetchRequest) -> Void
  ) -> (earlier: ListStep?, answer: ListStep?) {
    var last: (old: FetchRequest, new: FetchRequest)?
    return shared.transact(answering: subscription) { change in
      let old = change.request
      if let last, last.old == old {
        change.request = last.new
      } else {
        body(&change.request)
        last = (old, change.request)
      }
    }
  }

  /// Accesses a part of the request. Setting it is one step, and takes effect before the setter returns.
  ///
  /// ```swift
  /// list.search = "lon"  // at each key: a longer text tests only what is shown, a shorter one the rest
  /// list.sort = ["-rating"]
  /// list.limit = 20
  /// ```
  ///
  /// O(n) for another search or predicate, O(n log n) for another order.
  public subscript<Part>(dynamicMember part: WritableKeyPath<FetchRequest, Part>) -> Part {
    get { request[keyPath: part] }
    set { change { $0[keyPath: part] = newValue } }
  }

  /// Prepares what a search reads, so that the first key costs no more than the others. Call it when a search
  /// field gets the focus. O(n) on several threads; it is released 15 seconds after the last search.
  package func prepareSearch() {
    shared.state.withLock(\.index).prepareSearch()
  }

  /// Follows the settings by another resolver, in one step for all subscribers. One of them gets it as the
  /// answer to its request, separate from what it was not given yet.
  ///
  /// - Returns: The event that was due to the subscriber before, and the one that this caused; nil for none.
  /// - Throws: The error of `resolve`. Then nothing changes.
  package func follow(
    _ resolve: @escaping RequestResolver, answering subscription: ListSubscription
  ) throws(SettingsError) -> (earlier: ListEvent?, answer: ListEvent?) {
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
  package func follow(
    _ request: @escaping RequestResolver, for subscription: ListSubscription
  ) throws(SettingsError) -> (earlier: ListEvent?, snapshot: ListSnapshot<Item>) {
    let steps = try follow(request, subscription) { request, old, new in
      var result = new
      if request.search != old.search { result.search = request.search }
      return result
    }
    return (steps.earlier?.event, steps.answer?.new ?? shared.snapshot)
  }

  /// - Parameter combine: Makes the new request of the current one, its base, and the new base.
  private func follow(
    _ resolve: @escaping RequestResolver, _ subscription: ListSubscription,
    _ combine: (FetchRequest, FetchRequest, FetchRequest) -> FetchRequest
  ) throws(SettingsError) -> (earlier: ListStep?, answer: ListStep?) {
    // It is asked again only if the settings changed in the meantime.
    var last: (settings: Settings, base: FetchRequest)?
    return try shared.transact(answering: subscription) { change throws(SettingsError) in
      let base =
        if let last, last.settings == change.settings { last.base } else { try resolve(change.settings) }
      last = (change.settings, base)
      change.resolver = (resolve, (change.resolver?.version ?? 0) + 1)
      change.request = combine(change.request, change.base, base)
      change.base = base
    }
  }
}
