package import Store
package import Streams

/// The position from which a consumer resumes, and the record of its positions.
package struct ResumePoint: Sendable {
  /// The position, and the list of the consumer. If it is gone, the state stays as it is until
  /// `begin` replaces it.
  package var start: StreamStart
  /// The rows that were offered since the position and not acknowledged.
  package let offer: Offer
  /// The state in which deliveries are recorded; nil without one, or if none can be recorded, which
  /// was reported.
  package let state: ConsumerState?
  /// True if the reader acknowledged by itself in an earlier run.
  package let readerAcknowledges: Bool

  /// Makes the start of a consumer; by default one that has no list yet and is not recorded.
  package init(
    _ start: StreamStart = .new, offering offer: Offer = Offer(), state: ConsumerState? = nil,
    readerAcknowledges: Bool = false
  ) {
    self.start = start
    self.offer = offer
    self.state = state
    self.readerAcknowledges = readerAcknowledges
  }
}
