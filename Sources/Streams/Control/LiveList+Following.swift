package import Store

extension LiveList {
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
  /// Each part of the request becomes that of the resolver, except a search text or a query that was set in
  /// the list.
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
      if request.search != old.search || request.query != old.query {
        (result.search, result.query) = (request.search, request.query)
        result.sortsByRelevance = result.sortsByRelevance || request.sortsByRelevance
      }
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
    defer { store?.readRefusedSettings() }
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
