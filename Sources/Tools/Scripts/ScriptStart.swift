package import Store
package import Streams

/// The start of a command that runs for changes: the list that it has, and the source of changes.
package struct ScriptStart {
  /// The list that the command has acknowledged. It is recorded as such if there is no position.
  let list: ListSnapshot<Item>
  /// The position of an earlier run of this program, which has `list`; nil if there is none.
  let position: StreamPosition?
  /// The rows that an earlier run of this program offered and the command did not acknowledge.
  let offer: Offer
  /// True if `list` is the empty list of the view, and everything is to be delivered, as with
  /// `--initial` and after the position was lost. The first update is then the first step.
  let isFromNothing: Bool
  /// A subscription that was given `list`.
  let subscription: ListSubscription
  /// The record of the position; nil if none is kept.
  let log: (any DeliveryLog)?

  /// Subscribes to a list for a command, with every change after the list that the command has. With
  /// `runsInitially`, a command without a position gets the complete list as its first update.
  package init(
    _ start: StreamStart, offering offer: Offer = Offer(), of results: LiveList<Item>, runsInitially: Bool,
    log: (any DeliveryLog)? = nil
  ) {
    self.log = log
    switch start {
    case .resumed(let list, let position):
      self.list = list
      self.position = position
      self.offer = offer
      isFromNothing = false
      subscription = start.subscription(to: results)
    case .new where !runsInitially:
      list = results.snapshot
      subscription = results.subscribe(after: list)
      position = nil
      self.offer = Offer()
      isFromNothing = false
    case .new, .gone:
      list = results.snapshot.emptied
      subscription = results.subscribe(resumingAfter: list)
      position = nil
      self.offer = Offer()
      isFromNothing = true
    }
  }

  /// Returns the first update. Its cause is not `resumed` if the command has no list.
  func first(_ update: ListUpdate<Item>) -> ListUpdate<Item> {
    guard isFromNothing else { return update }
    return ListUpdate<Item>(
      from: update.old, to: update.new, touched: nil, origin: update.origin, cause: .first,
      since: update.since)
  }
}
