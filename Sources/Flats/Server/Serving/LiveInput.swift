import Files
import PlainStore
import Sinks
import Streams

/// The input of a client's task: lines of the client, and steps of its list.
struct LiveInput: Sendable {
  /// One piece of input.
  enum Input: Sendable {
    /// A line of the client.
    case line(ControlLine)
    /// A step of the list, or the list itself.
    case event(ResultsEvent)
  }

  private let connection: Connection
  private let subscription: ResultsSubscription
  private let observer: StepObserver

  /// Starts to observe a list.
  ///
  /// - Parameter executor: The queue of the client.
  init(_ connection: Connection, _ subscription: ResultsSubscription, on executor: QueueExecutor) {
    self.connection = connection
    self.subscription = subscription
    observer = StepObserver(subscription, on: executor, waking: connection.wakeup)
  }

  /// Waits for the next piece of input; nil when the client is gone or is to end. A line comes before
  /// a step, which its answer may contain.
  func next() async -> Input? {
    while !connection.isEnding, !connection.isGone {
      if let line = connection.nextLine() { return .line(line) }
      if let event = subscription.consumeEvent() { return .event(event) }
      observer.observeNext()
      await connection.wakeup.wait()
    }
    return nil
  }

  /// Stops observing the list.
  func finish() { observer.finish() }
}
