package import PlainStore
package import Sinks
package import StateStore
import Streams

extension ResumePoint {
  /// Returns the list that a command has, with every change from there on.
  ///
  /// - Parameter runsInitially: True if a command without a position gets the complete list as its
  ///   first update.
  package func commandStart(_ results: FetchedResults, runsInitially: Bool) -> ScriptStart {
    switch start {
    case .resumed(let list, let position):
      return ScriptStart(
        list: list, position: position, offer: offer, subscription: start.subscription(to: results),
        log: state)
    case .new where !runsInitially:
      let (list, steps) = results.snapshotAndSteps()
      return ScriptStart(list: list, subscription: steps, log: state)
    case .new, .gone:
      let nothing = results.snapshot.emptied
      let steps = results.subscribe(resumingAfter: nothing)
      return ScriptStart(list: nothing, isFromNothing: true, subscription: steps, log: state)
    }
  }
}
