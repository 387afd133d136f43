package import Store

/// Records what an output without tokens delivers, such as text for people. Everything that was
/// written counts as acknowledged.
package struct RecordedDelivery {
  private var positions: StreamPositions
  private let log: any DeliveryLog

  /// - Parameters:
  ///   - log: Keeps the record.
  ///   - position: The position from which the output resumes. Nil for a new one.
  ///   - tokens: Makes the tokens of the positions.
  package init(in log: any DeliveryLog, at position: StreamPosition? = nil, tokens: TokenSource) {
    self.log = log
    positions = StreamPositions(at: position, tokens: tokens)
  }

  /// Records an event, writes it, and records that it was written.
  ///
  /// - Parameters:
  ///   - event: The event. One that has only problems changes no position.
  ///   - write: Writes the event completely.
  package mutating func deliver(_ event: ResultsEvent, write: () throws -> Void) rethrows {
    switch event {
    case .snapshot(let list):
      positions.begin(with: list)
      log.begin(list, at: positions.current, isAcknowledged: false)
    case .step(let update?, _):
      positions.advance(with: update)
      log.offer(update, at: positions.current)
    case .step(nil, _): return try write()
    }
    try write()
    _ = log.acknowledge(positions.current.token)
  }
}
