import Query
@testable import Store

extension LiveList {
  /// Makes a list of a state that no store has.
  convenience init(
    _ state: StoreState, sharing published: PublishedStore? = nil, request: FetchRequest,
    resolving resolve: RequestResolver? = nil, decoding decoder: ModelDecoder? = nil
  ) {
    self.init(
      SharedList(state, sharing: published, request: request, resolving: resolve, decoding: decoder))
  }

  /// Shows the elements at these positions; nil for all.
  func show(_ window: Range<Int>?) {
    change { ($0.offset, $0.limit) = (window?.lowerBound ?? 0, window?.count) }
  }

  func update(with step: StoreStep) { shared.update(with: step) }

  /// Returns the list as it is now, and a subscription that begins after it.
  func snapshotAndSteps() -> (snapshot: ListSnapshot<Element>, steps: ListSubscription) {
    let snapshot = snapshot
    return (snapshot, subscribe(after: snapshot))
  }
}
