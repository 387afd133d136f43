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

  @discardableResult
  package func change(
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
}
