import PlainStore
import Sinks

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
  /// Signalled when the step that was observed last has been consumed.
  private let consumed: Wakeup
  private let observer: Task<Void, Never>

  /// Starts to observe a list.
  ///
  /// - Parameter executor: The queue of the client.
  init(_ connection: Connection, _ subscription: ResultsSubscription, on executor: QueueExecutor) {
    self.connection = connection
    self.subscription = subscription
    let consumed = Wakeup()
    self.consumed = consumed
    observer = Task(executorPreference: executor) {
      while await subscription.hasStep() {
        connection.wakeup.signal()
        await consumed.wait()
      }
    }
  }

  /// Waits for the next piece of input; nil when the client is gone or is to end. A line comes before
  /// a step, which its answer may contain.
  func next() async -> Input? {
    while !connection.isEnding, !connection.isGone {
      if let line = connection.nextLine() { return .line(line) }
      if let event = subscription.consumeEvent() { return .event(event) }
      consumed.signal()
      await connection.wakeup.wait()
    }
    return nil
  }

  /// Stops observing the list.
  func finish() {
    observer.cancel()
    consumed.signal()
  }
}
