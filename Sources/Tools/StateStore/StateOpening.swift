package import PlainStore

/// The result of opening the state of a consumer.
package struct StateOpening: Sendable {
  /// The state in which deliveries are recorded; nil if none can be recorded, which was reported.
  package let state: ConsumerState?
  /// The position from which the consumer resumes.
  package let outcome: ResumeOutcome
  /// The rows that were offered since the position of the resumption and not acknowledged.
  package let offer: Offer
  /// True if the reader acknowledged by itself in an earlier run.
  package let readerAcknowledges: Bool
}

/// The position from which a consumer resumes.
package enum ResumeOutcome: Sendable {
  /// Nothing was acknowledged before.
  case new
  /// The consumer has this list, at this position.
  case resumed(ResultsSnapshot, StreamPosition)
  /// The consumer had a position that cannot be served. The state stays as it is until `begin`
  /// replaces it.
  case gone(GoneReason)
}
