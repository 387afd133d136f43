// The lines that options and counters print as.

extension WatchOptions: CustomStringConvertible {
  /// The times and the kind of observation: `settle …, at most …, no polling`.
  public var description: String {
    let way =
      switch polling {
      case .never: "no polling"
      case .always: "polling every \(pollInterval)"
      case .automatic: "polling every \(pollInterval) if needed"
      }
    return "settle \(settle), at most \(maxWait), \(way)"
  }
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
