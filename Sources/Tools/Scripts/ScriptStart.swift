package import Store
package import Streams

/// The start of a command that runs for changes: the list that it has, and the source of changes.
package struct ScriptStart: Sendable {
  /// The list that the command has acknowledged. It is recorded as such if there is no position.
  package let list: ResultsSnapshot
  /// The position of an earlier run of this program, which has `list`; nil if there is none.
  package let position: StreamPosition?
  /// The rows that an earlier run of this program offered and the command did not acknowledge.
  package let offer: Offer
  /// True if `list` is the empty list of the view, and everything is to be delivered, as with
  /// `--initial` and after the position was lost. The first update is then the first step.
  package let isFromNothing: Bool
  /// A subscription that was given `list`.
  package let subscription: ResultsSubscription
  /// The record of the position; nil if none is kept.
  package let log: (any DeliveryLog)?

  package init(
    list: ResultsSnapshot, position: StreamPosition? = nil, offer: Offer = Offer(),
    isFromNothing: Bool = false,
    subscription: ResultsSubscription, log: (any DeliveryLog)? = nil
  ) {
    self.list = list
    self.position = position
    self.offer = offer
    self.isFromNothing = isFromNothing
    self.subscription = subscription
    self.log = log
  }
}

extension ScriptStart {
  /// Subscribes to a list for a command, with every change after the list that the command has.
  ///
  /// - Parameters:
  ///   - start: The position of the command, and its list.
  ///   - offer: What the command was offered since then.
  ///   - runsInitially: True if a command without a position gets the complete list as its first
  ///     update.
  ///   - log: The record of the position.
  package init(
    _ start: StreamStart, offering offer: Offer, of results: FetchedResults, runsInitially: Bool,
    log: (any DeliveryLog)?
  ) {
    switch start {
    case .resumed(let list, let position):
      let steps = start.subscription(to: results)
      self.init(list: list, position: position, offer: offer, subscription: steps, log: log)
    case .new where !runsInitially:
      let (list, steps) = results.snapshotAndSteps()
      self.init(list: list, subscription: steps, log: log)
    case .new, .gone:
      let nothing = results.snapshot.emptied
      let steps = results.subscribe(resumingAfter: nothing)
      self.init(list: nothing, isFromNothing: true, subscription: steps, log: log)
    }
  }

  /// Returns the first update. Its cause is not `resumed` if the command has no list.
  func first(_ update: ResultsUpdate) -> ResultsUpdate {
    guard isFromNothing else { return update }
    return ResultsUpdate(
      from: update.old, to: update.new, touched: nil, origin: update.origin, cause: .first,
      since: update.since)
  }
}

/// The reason why a sink stopped running its command.
package enum ScriptEnd: Sendable, Equatable {
  /// The list was closed, or the task was cancelled.
  case closed
  /// The program is to end with this status: that of a failed run, or 0 after everything was
  /// delivered once.
  case status(CInt)
  /// With `runsOnce`, the offer of a run could not be recorded, so nothing was run for it.
  case notRecorded
}
