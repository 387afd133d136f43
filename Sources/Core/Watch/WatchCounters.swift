/// The counts of a watcher since it began, for a status line and for tests.
public struct WatchCounters: Sendable, Hashable {
  /// The number of folders watched now; 0 while polling.
  public var watches = 0
  /// The number of events read from the kernel.
  public var events = 0
  /// The number of overflows of the kernel's queue.
  public var overflows = 0
  /// The number of rescans that answered overflows.
  public var rescans = 0
  /// The number of polls.
  public var polls = 0
  /// The number of paths that are incomplete or held for git now; 0 if nothing is pending.
  public var waiting = 0
  /// The number of batches delivered. Batches that were merged before anybody fetched them count,
  /// too.
  public var batches = 0
  /// The number of times the watcher's thread woke up. It sleeps while nothing happens.
  public var wakeups = 0
  /// True if the watcher polls now.
  public var isPolling = false

  /// Creates counters that are all zero.
  public init() {}
}

extension WatchCounters: CustomStringConvertible {
  /// The counters by their names: `watches 3, events 12, …`.
  public var description: String {
    let counts = [
      ("watches", watches), ("events", events), ("overflows", overflows), ("rescans", rescans),
      ("polls", polls), ("waiting", waiting),
      ("batches", batches), ("wakeups", wakeups),
    ]
    return counts.map { "\($0) \($1)" }.joined(separator: ", ") + (isPolling ? ", polling" : "")
  }
}
