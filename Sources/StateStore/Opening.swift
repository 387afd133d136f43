package import PlainStore

/// The result of opening the state of a consumer.
package struct Opening: Sendable {
  /// The state, to which every delivery is recorded; nil if nothing can be recorded here. That was
  /// reported.
  package let state: ConsumerState?
  /// The position from which the consumer goes on.
  package let outcome: Outcome
}

/// The position from which a consumer goes on.
package enum Outcome: Sendable {
  /// Nothing was acknowledged before.
  case new
  /// The consumer has this list.
  case resumed(ResultsSnapshot, StreamPosition)
  /// The consumer had a position that cannot be served. The state stays as it is until `begin`
  /// replaces it.
  case gone(GoneReason)
}
