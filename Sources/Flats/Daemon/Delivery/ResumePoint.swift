import Git
package import PlainStore
package import Server
package import Sinks
package import StateStore

/// The position from which a consumer resumes, and the record of its positions.
package struct ResumePoint: Sendable {
  /// The state of the consumer at the start.
  package enum Start: Sendable {
    /// The consumer has no list yet.
    case new
    /// The consumer has a list of an earlier run, at a position.
    case resumed(ResultsSnapshot, StreamPosition)
    /// The list of the consumer cannot be found.
    case gone(ResumeFailure)
  }

  /// The state of the consumer.
  package var start = Start.new
  /// The rows that the consumer was offered after the list of `start` and did not acknowledge.
  package var offer = Offer()
  /// Records the positions; nil without `--state`, or if nothing can be recorded.
  package var log: ClosableLog?
  /// True if the reader acknowledged by itself in an earlier run.
  package var readerAcknowledges = false
  /// Makes the tokens of its positions.
  package let tokens: TokenSource

  /// Makes the start of a consumer that has no list yet.
  ///
  /// - Parameter state: Records the positions. Nil for a consumer that is not recorded, such as the
  ///   output beside a command.
  package init(_ state: ConsumerState?, _ folder: String, _ view: ViewIdentity) {
    log = state.map { ClosableLog($0) }
    if let head = HeadReader(above: folder) {
      tokens = TokenSource(view: view.hash, hasDigests: true) { head.commit() }
    } else {
      tokens = TokenSource(view: view.hash, hasDigests: state != nil)
    }
  }

  /// Returns the list that a command has, with every change from there on.
  ///
  /// - Parameter runsInitially: True if a command without a position gets the complete list as its
  ///   first update.
  package func commandStart(_ results: FetchedResults, runsInitially: Bool) -> ScriptStart {
    switch start {
    case .resumed(let list, let position):
      let steps = results.subscribe(resumingAfter: list)
      return ScriptStart(list: list, position: position, offer: offer, subscription: steps, log: log)
    case .new where !runsInitially:
      let (list, steps) = results.snapshotAndSteps()
      return ScriptStart(list: list, subscription: steps, log: log)
    case .new, .gone:
      let nothing = results.snapshot.emptied
      let steps = results.subscribe(resumingAfter: nothing)
      return ScriptStart(list: nothing, isFromNothing: true, subscription: steps, log: log)
    }
  }
}
