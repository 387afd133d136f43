package import Store

extension StreamPositions {
  /// Records an event of an output without tokens, such as text for people, writes it completely, and
  /// records that it was written: it then counts as acknowledged.
  package mutating func deliver(
    _ event: ListEvent, recordedIn log: (any DeliveryLog)?, write: () throws -> Void
  ) rethrows {
    guard let log else { return try write() }
    switch event {
    case .snapshot(let list):
      begin(with: list)
      log.begin(list, at: current, isAcknowledged: false)
    case .step(let update?, _):
      advance(with: update)
      log.offer(update, at: current)
    case .step(nil, _): return try write()
    }
    try write()
    _ = log.acknowledge(current.token)
  }
}
